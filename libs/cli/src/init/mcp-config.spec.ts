import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeServer } from './mcp-config.js';

const entry = { command: 'npx', args: ['fledge', 'mcp', 'start'] };
const change = { file: '.mcp.json', name: 'shop', entry, onConflict: 'refuse' as const };

function merged(text: string | undefined, more: Partial<typeof change> = {}): string {
  const result = mergeServer(text, { ...change, ...more });
  if (result.kind === 'up-to-date') throw new Error('nothing merged');
  return result.text;
}

describe('mergeServer', () => {
  it('keeps other keys and servers with any content', () => {
    const name = fc.string().filter((key) => key !== '__proto__');
    const servers = fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 });
    const config = fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(config, servers, name, (rest, others, own) => {
        fc.pre(!Object.hasOwn(others, own));
        const before = JSON.parse(JSON.stringify({ ...rest, mcpServers: others })) as object;
        expect(JSON.parse(merged(JSON.stringify(before), { name: own }))).toEqual({
          ...before,
          mcpServers: { ...JSON.parse(JSON.stringify(others)), [own]: entry },
        });
      }),
    );
  });

  it('keeps keys such as __proto__', () => {
    const text = '{"__proto__":{"a":1},"mcpServers":{"constructor":{}}}';
    expect(merged(text, { name: '__proto__' }).replace(/\s/g, '')).toBe(
      '{"__proto__":{"a":1},"mcpServers":{"constructor":{},"__proto__":{"command":"npx","args":["fledge","mcp","start"]}}}',
    );
    expect(
      mergeServer(merged('{}', { name: 'toString' }), { ...change, name: 'toString' }),
    ).toEqual({
      kind: 'up-to-date',
    });
  });

  it.each([
    ['two spaces', '{\n  "a": 1\n}', '\n  "mcpServers"'],
    ['four', '{\n    "a": 1\n}', '\n    "mcpServers"'],
    ['tabs', '{\n\t"a": 1\n}', '\n\t"mcpServers"'],
    ['none', '{"a": 1}', '\n  "mcpServers"'],
    ['Windows', '{\r\n  "a": 1\r\n}', '\r\n  "mcpServers"'],
  ])('keeps the indent: %s', (_, text, expected) => {
    expect(merged(text)).toContain(expected);
    expect(merged(text)).toMatch(/\}\r?\n$/);
  });

  it('reports an equal entry as up to date, with keys in any order', () => {
    const text = '{"mcpServers":{"shop":{"args":["fledge","mcp","start"],"command":"npx"}}}';
    expect(mergeServer(text, change)).toEqual({ kind: 'up-to-date' });
  });
});
