import { describe, expect, it } from '@jest/globals';
import { bodyDecoder } from './body-decoder.js';

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
});
