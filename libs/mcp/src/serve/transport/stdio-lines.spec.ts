import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LONGEST_LINE, StdioLines } from './stdio-lines.js';

describe('StdioLines', () => {
  it('finds the lines wherever the pipe is cut', () => {
    const text = fc.array(fc.stringMatching(/^(?:[\x21-\x7eé你]|😀)+$/u), { minLength: 1 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), (lines, cuts) => {
        let bytes = Buffer.from(`\ufeff${lines.join('\r\n')}\n`);
        const reader = new StdioLines();
        const found = cuts.flatMap((cut) => {
          const read = reader.read(bytes.subarray(0, cut)) ?? [];
          bytes = bytes.subarray(cut);
          return read;
        });
        found.push(...(reader.read(bytes) ?? []));
        expect(found.map((line) => line.trim())).toEqual(lines);
      }),
    );
  });

  it('leaves out empty lines', () => {
    expect(new StdioLines().read(Buffer.from('\n{}\n \r\n'))).toEqual(['{}']);
  });

  it('gives up behind a line that is too long', () => {
    const reader = new StdioLines();
    expect(reader.read(Buffer.alloc(LONGEST_LINE, 'x'))).toEqual([]);
    expect(reader.read(Buffer.from('x'))).toBeUndefined();
  });
});
