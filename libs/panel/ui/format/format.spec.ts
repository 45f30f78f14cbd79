import { describe, expect, it } from '@jest/globals';
import type { PanelCall } from '../../src/panel.api.js';
import { binsOf, filtered, severityOf } from './calls.js';
import { masked } from './mask.js';
import { bytesOf, msOf, quantile } from './number.js';
import { queryText } from './query-url.js';
import { rowsOf } from './rows.js';
import { durationOf } from './time.js';
import { expanded, fieldNamesOf } from './uri-template.js';

const call = (part: Partial<PanelCall>): PanelCall => ({
  id: 1,
  at: '2026-03-24T10:00:00.000Z',
  tool: 'tasks_get',
  kind: 'tool',
  outcome: 'ok',
  ms: 5,
  ...part,
});

describe('numbers and times', () => {
  it('are written with units', () => {
    expect([bytesOf(303), bytesOf(3800)]).toEqual(['303 B', '3.8 kB']);
    expect([msOf(0.01), msOf(4.72), msOf(9120)]).toEqual(['0', '4.7', '9,120']);
    expect([durationOf(3000), durationOf(4_320_000)]).toEqual(['3 s', '1 h 12 min']);
    expect([quantile([3, 1, 2], 0.5), quantile([], 0.5)]).toEqual([2, 0]);
  });
});

describe('calls', () => {
  it('are found by words, of which some name a column', () => {
    const calls = [call({ tenant: 'acme' }), call({ id: 2, status: 404, outcome: 'error' })];
    const ids = (text: string) => filtered(calls, { text, shown: 'all' }).map(({ id }) => id);
    expect(ids('')).toEqual([2, 1]);
    expect(ids('tenant:acme tasks')).toEqual([1]);
    expect(ids('status:404')).toEqual([2]);
    expect(filtered(calls, { text: '', shown: 'failed' })).toEqual([calls[1]]);
  });

  it('warn for faults of the caller, and are errors for faults of the application', () => {
    expect(severityOf(call({ status: 200 }))).toBe('ok');
    expect(severityOf(call({ status: 403, outcome: 'error' }))).toBe('warn');
    expect(severityOf(call({ status: 500, outcome: 'error' }))).toBe('err');
    expect(severityOf(call({ outcome: 'refused' }))).toBe('warn');
  });

  it('are counted by time', () => {
    const now = Date.parse('2026-03-24T10:00:06.000Z');
    expect(binsOf([call({ status: 500 })], { now, binMs: 5000, count: 2 })).toEqual([
      { calls: 1, failed: 1, errors: 1 },
      { calls: 0, failed: 0, errors: 0 },
    ]);
  });
});

describe('texts', () => {
  it('hide the middle of a secret', () => {
    expect(masked('Bearer demo-token-ada')).toBe('Bearer demo-…-ada');
    expect(masked('Bearer short')).toBe('Bearer …');
  });

  it('fill URI templates', () => {
    expect(fieldNamesOf('a://{x}/{+y}{?z,w}')).toEqual(['x', 'y', 'z', 'w']);
    const values = { x: 'a/b', y: 'c/d', z: '1' };
    expect(expanded('a://{x}/{+y}{?z,w}', values)).toBe('a://a%2Fb/c/d?z=1');
    expect(expanded('a://{x}', {})).toBe('a://{x}');
  });

  it('write a query as a URL', () => {
    const filters = [{ column: 'status', operator: 'in', value: 'open,done' }];
    const draft = { filters, sorts: [], search: 'a b', page: '', limit: '4' };
    expect(queryText(draft)).toBe('filter=status:in:open,done&q=a%20b&limit=4');
  });

  it('read rows', () => {
    const text = JSON.stringify({ data: [{ id: 1, by: { name: 'Ada' } }], meta: { total: 5 } });
    expect(rowsOf(text)).toEqual({
      columns: ['id', 'by'],
      cells: [['1', 'Ada']],
      summary: '1 of 5 rows',
    });
    expect(rowsOf('{}')).toBeUndefined();
  });
});
