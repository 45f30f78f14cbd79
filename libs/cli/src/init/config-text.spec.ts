import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { openJson, openJsonc } from './json-text.js';
import { openToml } from './toml-text.js';
import { openYaml } from './yaml-text.js';

const shop = { url: 'http://localhost:3000/_mcp/messages' };

describe('openJsonc', () => {
  const set = (text: string) => openJsonc('f.json', text).set(['servers', 'shop'], shop);

  it('adds to any JSON and changes nothing else', () => {
    const name = fc.string().filter((key) => key !== '__proto__');
    const object = fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 });
    const indent = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(object, object, name, indent, (rest, others, own, space) => {
        fc.pre(!Object.hasOwn(others, own));
        const text = JSON.stringify({ ...rest, servers: others }, null, space);
        const edited = openJsonc('f.json', text).set(['servers', own], shop);
        expect(JSON.parse(edited)).toEqual({
          ...(JSON.parse(text) as object),
          servers: { ...JSON.parse(JSON.stringify(others)), [own]: shop },
        });
      }),
    );
  });

  it.each([
    ['{}', '{\n  "servers": {\n    "shop": {'],
    ['{ "a": 1 }', '{ "a": 1,\n  "servers": {'],
    ['{\n\t"a": 1 // one\n}\n', '\t"a": 1, // one\n\t"servers": {\n\t\t"shop": {'],
    ['{\n  "a": 1, // one\n}\n', '"a": 1, // one\n  "servers": {'],
    ['{\n  "a": 1 /* , */\n}\n', '"a": 1, /* , */\n  "servers": {'],
    ['{\n  "servers": {\n    // none yet\n  }\n}', '// none yet\n    "shop": {'],
    ['{\n  "servers": {}, // mine\n}', '"servers": {\n    "shop": {'],
    ['{\r\n  "a": 1\r\n}\r\n', '"a": 1,\r\n  "servers": {\r\n    "shop": {\r\n'],
  ])('keeps the comments and the form of %j', (text, part) => {
    const edited = set(text);
    expect(edited).toContain(part);
    const before = parseJsonc(text) as object;
    expect(parseJsonc(edited)).toEqual({ ...before, servers: { shop } });
    const comments = /\/\/ .*|\/\*.*?\*\//g;
    expect(edited.match(comments)).toEqual(text.match(comments));
  });

  it('finds a value that equals a plain one', () => {
    expect(openJsonc('f.json', '{"a":{"b":[{"c":1}]}}').find(['a'])).toStrictEqual({
      value: { b: [{ c: 1 }] },
      line: 1,
    });
  });

  it('replaces one value and keeps the comments around it', () => {
    const text =
      '{\n  // a\n  "servers": {\n    "shop": { "url": "x" }, // b\n    "till": 1\n  }\n}';
    expect(set(text)).toBe(
      '{\n  // a\n  "servers": {\n    "shop": {\n      "url": "http://localhost:3000/_mcp/messages"\n' +
        '    }, // b\n    "till": 1\n  }\n}',
    );
  });

  it('adds an element to an array', () => {
    const edited = openJsonc('f.json', '{"inputs": [1 /* one */]}').set(['inputs', '1'], shop);
    expect(parseJsonc(edited)).toEqual({ inputs: [1, shop] });
    expect(edited).toContain('1, /* one */');
  });

  it.each([
    ['', /^f\.json, line 1, is not valid JSON: value expected\. The file was not changed\./],
    ['{\n "a": 1\n "b": 2\n}', /^f\.json, line 3, is not valid JSON: comma expected\./],
    ['[]', /^f\.json must be a JSON object, but is an array\./],
  ])('refuses %j', (text, message) => {
    expect(() => openJsonc('f.json', text)).toThrow(message);
  });

  it('is strict for clients that read no comments', () => {
    expect(() => openJson('f.json', '{ // a\n}')).toThrow(/line 1, column 3, has "\/"/);
  });
});

describe('openToml', () => {
  const path = ['mcp_servers', 'shop'];
  const table = '[mcp_servers.shop]\nurl = "http://localhost:3000/_mcp/messages"';

  it.each([
    ['', `${table}\n`],
    ['# mine\na = 1 # one', `# mine\na = 1 # one\n\n${table}\n`],
    ['[x]\r\na = 1\r\n', `[x]\r\na = 1\r\n\r\n${table.replace('\n', '\r\n')}\r\n`],
    [
      '[mcp_servers.shop] # old\ncommand = "x"\n[mcp_servers.shop.env]\nA = "1"\n\n# about b\n[b]\nc = 2\n',
      `${table}\n\n# about b\n[b]\nc = 2\n`,
    ],
    ['[ mcp_servers . "shop" ]\ncommand = "x"\n', `${table}\n`],
    [
      'a = """\n[mcp_servers.shop]\n"""\nd = 1979-05-27T07:32:00Z\nn = nan\n',
      `a = """\n[mcp_servers.shop]\n"""\nd = 1979-05-27T07:32:00Z\nn = nan\n\n${table}\n`,
    ],
  ])('sets a table in %j', (text, edited) => {
    expect(openToml('config.toml', text).set(path, shop)).toBe(edited);
  });

  it.each([
    ['mcp_servers = { shop = { command = "x" } }\n'],
    ['[mcp_servers]\nshop = { command = "x" }\n'],
    ['a = """\n[mcp_servers.shop]\n"""\n[mcp_servers]\nshop.command = "x"\n'],
    ['mcp_servers = { till = { command = "x" } }\n'],
  ])('refuses to edit %j, which has the servers in another form', (text) => {
    expect(() => openToml('config.toml', text).set(path, shop)).toThrow(
      /^config\.toml, line \d, must declare mcp_servers\.shop as the table \[mcp_servers\.shop\]\. The file was not changed\./,
    );
  });

  it('names the line of a fault, and quotes nothing of the file', () => {
    expect(() => openToml('config.toml', 'a = 1\nsecret = = 2')).toThrow(
      /^config\.toml, line 2, is not valid TOML: (?!.*secret).*\. The file was not changed\. Correct the file/,
    );
  });
});

describe('openYaml', () => {
  const path = ['extensions', 'shop'];

  it.each([
    ['', 'extensions:\n  shop:\n    url: http://localhost:3000/_mcp/messages\n'],
    [
      '# top\na: "x" # a\n\nextensions:\n  # first\n  till:\n    args:\n    - 1\n# end\n',
      '# top\na: "x" # a\n\nextensions:\n  # first\n  till:\n    args:\n    - 1\n' +
        '  shop:\n    url: http://localhost:3000/_mcp/messages\n# end\n',
    ],
    [
      'extensions:\n    till: # two\n        text: |\n            a\n\n    # last\nb: 1 # b',
      'extensions:\n    till: # two\n        text: |\n            a\n' +
        '    shop:\n        url: http://localhost:3000/_mcp/messages\n\n    # last\nb: 1 # b',
    ],
    [
      'extensions: {}\nb: 1\n',
      'extensions:\n  shop:\n    url: http://localhost:3000/_mcp/messages\nb: 1\n',
    ],
    [
      'extensions: { a: { b: 1 } }\n',
      'extensions:\n  a: { b: 1 }\n  shop:\n    url: http://localhost:3000/_mcp/messages\n',
    ],
    [
      'extensions:\nb: 1\n',
      'extensions:\n  shop:\n    url: http://localhost:3000/_mcp/messages\nb: 1\n',
    ],
    [
      'a: 1\r\n',
      'a: 1\r\nextensions:\r\n  shop:\r\n    url: http://localhost:3000/_mcp/messages\r\n',
    ],
  ])('sets a key in %j', (text, edited) => {
    expect(openYaml('config.yaml', text).set(path, shop)).toBe(edited);
  });

  it.each([
    ['a: 1\nb: [secret\n', /^config\.yaml, line \d, is not valid YAML: (?!.*secret)/],
    ['- 1\n', /^config\.yaml must have keys at its top level, but is an array\./],
  ])('refuses %j', (text, message) => {
    expect(() => openYaml('config.yaml', text)).toThrow(message);
  });
});
