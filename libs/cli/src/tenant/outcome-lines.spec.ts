import { expect, it } from '@jest/globals';
import { outcomeLine } from './outcome-lines.js';

it('prints a skipped tenant on a terminal only if there is a reason', () => {
  const terminal = { kind: 'terminal', columns: 80, color: false } as const;
  const skipped = { tenant: 'eta', step: 'migrate', status: 'skipped', ms: 0 } as const;
  expect(outcomeLine(skipped, terminal)).toBe('');
  expect(outcomeLine({ ...skipped, reason: 'half created' }, terminal)).toBe(
    'skipped  eta  migrate  half created\n',
  );
  expect(outcomeLine(skipped, { kind: 'pipe' })).toBe('eta\tmigrate\tskipped\t0\t\n');
});
