import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partsOf } from './result-parts.js';

const text = fc.string({ unit: 'binary' });

describe('partsOf', () => {
  it('splits a text between characters into parts that make the text again', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (whole, maxBytes) => {
        const known = Buffer.from(whole).toString();
        fc.pre(!known.startsWith('['));
        const { texts } = partsOf(known, maxBytes);
        expect(texts.join('')).toBe(known);
        for (const part of texts) {
          expect(part).not.toContain('\ufffd'.repeat(2));
          // A character has 4 bytes at most.
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(Math.max(maxBytes, 4));
        }
      }),
    );
  });

  it('splits a JSON list into lists of whole items', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (items) => {
        const whole = JSON.stringify(items);
        const maxBytes = Math.max(...items.map((item) => JSON.stringify(item).length * 4)) + 2;
        const { texts } = partsOf(whole, maxBytes);
        expect(texts.flatMap((part) => JSON.parse(part) as unknown[])).toEqual(JSON.parse(whole));
        for (const part of texts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxBytes);
      }),
    );
    expect(partsOf('["aa","bb","cc"]', 11)).toEqual({
      texts: ['["aa","bb"]', '["cc"]'],
      items: 3,
      itemsShown: 2,
    });
  });

  it('leaves the items of a list as they are written', () => {
    const items = ['9007199254740993', '1e400', '-0', '{"a,]": "\\"[,"}', '[ [], "\\\\" ]', '""'];
    const { texts } = partsOf(`[ ${items.join(' ,\n')} ]`, 30);
    expect(texts).toEqual([
      '[9007199254740993,1e400,-0]',
      '[{"a,]": "\\"[,"},[ [], "\\\\" ]]',
      '[""]',
    ]);
  });

  it('ignores white space around a list', () => {
    expect(partsOf('["aa","bb","cc"]\n', 11)).toMatchObject({
      texts: ['["aa","bb"]', '["cc"]'],
      items: 3,
      itemsShown: 2,
    });
    expect(partsOf(`[${' '.repeat(20)}]`, 10)).toMatchObject({ items: 0, itemsShown: 0 });
  });

  it('splits a list between characters if an item is too large, or if it is no JSON', () => {
    expect(partsOf('["a","bbbbbbb"]', 10).texts).toEqual(['["a","bbbb', 'bbb"]']);
    expect(partsOf('[not JSON at all', 10).texts).toEqual(['[not JSON ', 'at all']);
  });

  it('leaves a text whole that fits to the byte', () => {
    expect(partsOf('é'.repeat(5), 10).texts).toEqual(['é'.repeat(5)]);
    expect(partsOf('é'.repeat(5), 9).texts).toEqual(['éééé', 'é']);
  });
});
