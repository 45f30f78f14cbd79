import { describe, expect, it } from '@jest/globals';
import { bodyDecoder, charsetIn, mediaTypeOf } from './content-type.js';

describe('bodyDecoder', () => {
  it.each([
    [undefined, [0xc3, 0xbc], 'ü'],
    ['text/csv', [0xc3, 0xbc], 'ü'],
    ['text/csv; charset=UTF8', [0xc3, 0xbc], 'ü'],
    ['text/csv; charset=iso-8859-1', [0xfc], 'ü'],
    ['text/csv; header=present; Charset = "windows-1251"', [0xff], 'я'],
    ['text/csv;charset=utf-16le', [0xfc, 0x00], 'ü'],
    ['application/json', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], '{}'],
  ])('decodes a body of %s', (type, bytes, text) => {
    expect(bodyDecoder(type)?.decode(Buffer.from(bytes))).toBe(text);
  });

  it('does not know every charset', () => {
    expect(bodyDecoder('text/csv; charset=x')).toBeUndefined();
  });

  it.each(['application/json', 'application/json; charset=utf-16le'])(
    'refuses invalid bytes of %s only if asked to',
    (type) => {
      const invalid = Buffer.from([0x22, 0xff, 0x22]);
      expect(bodyDecoder(type)?.decode(invalid)).toContain('\ufffd');
      expect(() => bodyDecoder(type, { fatal: true })?.decode(invalid)).toThrow();
    },
  );
});

describe('mediaTypeOf and charsetIn', () => {
  it.each([
    [undefined, '', undefined],
    ['Application/JSON', 'application/json', undefined],
    ['application/json ; charset="UTF-8"', 'application/json', 'UTF-8'],
    ['text/plain; note="application/json"', 'text/plain', undefined],
  ])('of %p', (type, mediaType, charset) => {
    expect(mediaTypeOf(type)).toBe(mediaType);
    expect(charsetIn(type)).toBe(charset);
  });
});
