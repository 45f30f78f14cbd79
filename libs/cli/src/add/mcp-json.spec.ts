import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withServer } from './mcp-json.js';

const entry = { type: 'http', url: 'http://localhost:3000/_mcp/messages' };
const shop = { name: 'shop', entry };

describe('withServer', () => {
  it('keeps other keys and servers with any content', () => {
    const name = fc.string().filter((key) => key !== '__proto__');
    const servers = fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 });
    const config = fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(config, servers, name, (rest, others, own) => {
        fc.pre(!Object.hasOwn(others, own));
        const before = JSON.parse(JSON.stringify({ ...rest, mcpServers: others })) as object;
        const after = withServer(JSON.stringify(before), { name: own, entry });
        expect(JSON.parse(after ?? '')).toEqual({
          ...before,
          mcpServers: { ...JSON.parse(JSON.stringify(others)), [own]: entry },
        });
      }),
    );
  });

  it('keeps keys such as __proto__', () => {
    const text = '{"__proto__":{"a":1},"mcpServers":{"constructor":{}}}';
    expect(withServer(text, { name: '__proto__', entry: { url: 'x' } })?.replace(/\s/g, '')).toBe(
      '{"__proto__":{"a":1},"mcpServers":{"constructor":{},"__proto__":{"url":"x"}}}',
    );
    const added = withServer('{}', { name: 'toString', entry });
    expect(withServer(added, { name: 'toString', entry })).toBeUndefined();
  });

  it.each([
    ['two spaces', '{\n  "a": 1\n}', '\n  "mcpServers"'],
    ['four', '{\n    "a": 1\n}', '\n    "mcpServers"'],
    ['tabs', '{\n\t"a": 1\n}', '\n\t"mcpServers"'],
    ['none', '{"a": 1}', '\n  "mcpServers"'],
    ['Windows', '{\r\n  "a": 1\r\n}', '\r\n  "mcpServers"'],
  ])('keeps the indent: %s', (_, text, expected) => {
    expect(withServer(text, shop)).toContain(expected);
    expect(withServer(text, shop)).toMatch(/\}\r?\n$/);
  });

  it('leaves an equal entry as it is, with keys in any order', () => {
    const text =
      '{"mcpServers":{"shop":{"url":"http://localhost:3000/_mcp/messages","type":"http"}}}';
    expect(withServer(text, shop)).toBeUndefined();
  });
});
