import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { faultOf, readJson, readJsonObject } from './json.js';

const faultIn = (text: string) => {
  try {
    return readJson('x.json', text, 'Mend it.');
  } catch (error) {
    return (error as Error).message;
  }
};

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('readJson', () => {
  it.each([
    ['', 'line 1, column 1, has the end of the text instead of a value'],
    ['{\n  "a": 1,\n}', 'line 3, column 1, has "}" instead of a name in double quotes'],
    ['{\n  // no', 'line 2, column 3, has "/" instead of a name in double quotes or "}"'],
    ["{'a': 1}", 'line 1, column 2, has "\'" instead of a name in double quotes or "}"'],
    ['[1 2]', 'line 1, column 4, has "2" instead of "," or "]"'],
    ['{"a" 1}', 'line 1, column 6, has "1" instead of ":"'],
    ['{"a": "open', 'line 1, column 7, has "\\"" instead of a value'],
    ['{} {}', 'line 1, column 4, has "{" instead of the end of the text'],
    ['{"a": 1', 'line 1, column 8, has the end of the text instead of "," or "}"'],
  ])('names place and fault of %j', (text, fault) => {
    expect(faultIn(text)).toBe(`x.json is not valid JSON: ${fault}. Mend it.`);
  });

  it('ignores a byte order mark', () => {
    expect(faultIn('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  it('finds a fault at the position where JSON.parse does', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '"', ':', '1', '\\', ' ', '\n'),
      )
      .map(([json, at, text]) => {
        const i = at % (json.length + 1);
        return json.slice(0, i) + text + json.slice(i + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, fc.string({ unit: 'binary' })), (text) => {
        expect([text, faultOf(text) === undefined]).toEqual([text, parses(text)]);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('readJsonObject', () => {
  it.each([
    ['[1]', 'an array'],
    ['null', 'null'],
    ['"a"', 'a string'],
    ['7', 'a number'],
  ])('refuses %s', (text, kind) => {
    expect(() => readJsonObject('--args', text, 'Cure.')).toThrow(
      `--args must be a JSON object, but is ${kind}. Cure.`,
    );
  });
});
