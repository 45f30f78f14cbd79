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
  it('in a pipe is one tool a line, fields between tabs', () => {
    expect(toolTable(tools, { kind: 'pipe' })).toBe(
      'tasks_get\tid, fields?\tReads one task, by its id. \u001b[31mred\nping\t\tPing\n',
    );
    expect(toolTable([], { kind: 'pipe' })).toBe('');
  });

  it('on a terminal fits its width, and obeys no control character of a server', () => {
    expect(toolTable(tools, { kind: 'terminal', columns: 50, colour: false })).toBe(
      [
        'Tool       Arguments    Description',
        'tasks_get  id, fields?  Reads one task, by its id…',
        'ping                    Ping',
        '',
      ].join('\n'),
    );
    expect(toolTable([], { kind: 'terminal', columns: 50, colour: false })).toBe('No tools.\n');
  });

  it('cuts long lists of arguments before the text is lost', () => {
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`name${i}`, {}]));
    const many = [{ name: 'many', description: 'x'.repeat(99), inputSchema: { properties } }];
    const lines = toolTable(many, { kind: 'terminal', columns: 80, colour: false }).split('\n');
    expect(lines[1]).toHaveLength(80);
    expect(lines[1]).toMatch(/name2\?, n… {2}x{45}…$/);
  });

  it('is coloured where colour shows', () => {
    expect(toolTable(tools, { kind: 'terminal', columns: 50, colour: true })).toContain(
      '\u001b[36mtasks_get\u001b[39m',
    );
  });
});
