import { describe, expect, it } from '@jest/globals';
import { toolTable } from './tool-table.js';

const tools = [
  {
    name: 'tasks_get',
    description: 'Reads one task,\nby its id. \u001b[31mred',
    inputSchema: { properties: { id: {}, fields: {} }, required: ['id'] },
  },
  { name: 'ping', title: 'Ping', description: 'Unused', inputSchema: {} },
];

describe('toolTable', () => {
  it('has one tool per line in a pipe, with tabs between the columns', () => {
    expect(toolTable(tools, { kind: 'pipe' })).toBe(
      'tasks_get\tid, fields?\tReads one task, by its id. \u001b[31mred\nping\t\tUnused\n',
    );
    expect(toolTable([], { kind: 'pipe' })).toBe('');
  });

  it('fits the width of a terminal, without control characters', () => {
    expect(toolTable(tools, { kind: 'terminal', columns: 50, color: false })).toBe(
      [
        'Tool       Arguments    Description',
        'tasks_get  id, fields?  Reads one task, by its id…',
        'ping                    Unused',
        '',
      ].join('\n'),
    );
    expect(toolTable([], { kind: 'terminal', columns: 50, color: false })).toBe('');
  });

  it('shortens long lists of arguments to keep the description', () => {
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`name${i}`, {}]));
    const many = [{ name: 'many', description: 'x'.repeat(99), inputSchema: { properties } }];
    const lines = toolTable(many, { kind: 'terminal', columns: 80, color: false }).split('\n');
    expect(lines[1]).toHaveLength(80);
    expect(lines[1]).toMatch(/name2\?, n… {2}x{45}…$/);
  });

  it('is colored on a color terminal', () => {
    expect(toolTable(tools, { kind: 'terminal', columns: 50, color: true })).toContain(
      '\u001b[36mtasks_get\u001b[39m',
    );
  });
});
