import { describe, expect, it } from '@jest/globals';
import { listedLine, stateTable } from './state-table.js';

const reason = '`status` is "bogus", but must be one of active, suspended';
const states = [
  { tenant: 'acme', status: 'active', migration: 'current', steps: [] },
  { tenant: 'beta', status: null, invalid: reason, migration: 'current', steps: [] },
];

describe('stateTable', () => {
  it('has the reason of an invalid record in the notes', () => {
    expect(stateTable(states, { kind: 'pipe' })).toBe(
      `acme\tactive\tcurrent\t\t\t\t\nbeta\t\tcurrent\t\t\t\tinvalid record: ${reason}\n`,
    );
    const table = stateTable(states, { kind: 'terminal', columns: 80, color: false });
    expect(table.split('\n')[2]).toBe(
      `beta            current                         invalid record: ${reason}`,
    );
  });
});

describe('the notes', () => {
  it('have the errors of all steps', () => {
    const entry = { target: '', attempt: 1, startedAt: '2026-01-01', status: 'done' as const };
    const steps = [
      { ...entry, step: 'migrate' },
      { ...entry, step: 'seed', error: 'no rows' },
    ];
    const state = { tenant: 'acme', status: 'provisioning', migration: 'current', steps };
    expect(stateTable([state], { kind: 'pipe' })).toContain('\tseed: no rows\n');
  });

  it('have the error of `pending`', () => {
    const [acme] = states;
    expect(stateTable([{ ...acme!, pendingError: 'no access' }], { kind: 'pipe' })).toBe(
      'acme\tactive\tcurrent\t\t\t\tpending: no access\n',
    );
  });

  it.each(['failed', 'interrupted'] as const)('have the fix if the creation %s', (status) => {
    const steps = [{ step: 'provision', target: '', attempt: 1, startedAt: '2026-01-01', status }];
    const state = { tenant: 'eta', status: 'provisioning', migration: 'never', steps };
    expect(stateTable([state], { kind: 'pipe' })).toBe(
      'eta\tprovisioning\tnever\t\t\t\tcreation not finished: fledge tenant create eta --resume\n',
    );
  });
});

describe('listedLine', () => {
  it('has the id and the status, or the reason of an invalid record', () => {
    expect(listedLine({ tenantId: 'acme', status: 'active' })).toBe('acme\tactive');
    expect(listedLine({ tenantId: 'beta', invalid: reason })).toBe(`beta\tinvalid\t${reason}`);
  });
});
