import { describe, expect, it } from '@jest/globals';
import { costTable } from './cost-table.js';

const tools = [
  { name: 'ping', description: 'Answers', inputSchema: {} },
  {
    name: 'tasks_list',
    description: 'Lists tasks',
    inputSchema: {
      properties: {
        limit: { type: 'integer' },
        filter: { type: 'string', description: 'é'.repeat(99) },
      },
    },
  },
  { name: 'report', inputSchema: {}, outputSchema: { type: 'object' } },
  { name: 'bare\u001b[31m', inputSchema: {} },
];

const sizeOf = (i: number) => Buffer.byteLength(JSON.stringify(tools[i]));

describe('costTable', () => {
  it('has the largest tool first and the sum last, with tabs between the columns of a pipe', () => {
    const sum = tools.reduce((bytes, _, i) => bytes + sizeOf(i), 0);
    expect(costTable(tools, { kind: 'pipe' }).split('\n')).toEqual([
      `tasks_list\t${sizeOf(1)}\t${Math.round(sizeOf(1) / 4)}\targument filter, 66 %`,
      `report\t${sizeOf(2)}\t17\toutputSchema, 25 %`,
      `ping\t${sizeOf(0)}\t14\tdescription, 16 %`,
      `bare\u001b[31m\t${sizeOf(3)}\t${Math.round(sizeOf(3) / 4)}`,
      `4 tools\t${sum}\t${Math.round(sum / 4)}`,
      '',
    ]);
  });

  it('aligns numbers on a terminal, without control characters', () => {
    const shown = costTable(tools, { kind: 'terminal', columns: 80, color: false });
    expect(shown).not.toContain('\u001b');
    const lines = shown.split('\n');
    expect(lines[0]).toBe('Tool        Bytes  Tokens  Largest part');
    expect(lines[3]).toBe('ping           56      14  description, 16 %');
    expect(lines[5]).toMatch(/^4 tools +\d+ +\d+$/);
  });

  it('adds the sum of the list that clients get, if it is another', () => {
    const listed = tools.slice(0, 1);
    const lines = costTable(tools, { kind: 'pipe' }, listed).trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe(`1 listed\t${sizeOf(0)}\t14`);
    expect(costTable(tools, { kind: 'pipe' }, [...tools])).toBe(costTable(tools, { kind: 'pipe' }));
  });

  it('sums up no tools', () => {
    expect(costTable([], { kind: 'pipe' })).toBe('0 tools\t0\t0\n');
  });
});
