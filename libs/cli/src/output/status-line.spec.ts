import { describe, expect, it } from '@jest/globals';
import { progressText, StatusLine } from './status-line.js';

function lineOn(terminal: ConstructorParameters<typeof StatusLine>[1]) {
  const written: string[] = [];
  return { written, line: new StatusLine((text) => written.push(text), terminal) };
}

describe('StatusLine', () => {
  it('overwrites itself, stays on one line and is erased at the end', () => {
    const { written, line } = lineOn({ kind: 'terminal', columns: 8, color: false });
    line.clear();
    line.show('one\ntwo three');
    line.show('four');
    line.clear();
    line.clear();
    expect(written).toEqual(['\r\u001b[Kone two', '\r\u001b[Kfour', '\r\u001b[K']);
  });

  it('writes nothing to a pipe', () => {
    const { written, line } = lineOn({ kind: 'pipe' });
    line.show('one');
    line.clear();
    expect(written).toEqual([]);
  });
});

describe('progressText', () => {
  it.each([
    [[3], '3'],
    [[3, 10], '3/10 (30%)'],
    [[3, 10, 'reading'], '3/10 (30%) reading'],
    [[3, 0, 'reading'], '3 reading'],
  ] as [[number, number?, string?], string][])('of %j is %j', (args, text) => {
    expect(progressText(...args)).toBe(text);
  });
});
