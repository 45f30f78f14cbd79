import { describe, expect, it } from '@jest/globals';
import { CallResults } from './call-results.js';

describe('CallResults', () => {
  it('keeps results cut, until they are dropped', () => {
    const results = new CallResults();
    results.add(1, { text: 'x'.repeat(5_000) });
    results.add(2, null);
    expect(results.get(1)).toEqual({ text: `${'x'.repeat(2_000)}… 3000 more characters` });
    expect(results.get(2)).toBeNull();
    results.drop(1);
    results.drop(1);
    expect([results.get(1), results.get(3)]).toEqual([undefined, undefined]);
  });

  // A character of this text takes three bytes.
  it('drops the oldest when all together are larger than 4 MB', () => {
    const results = new CallResults();
    const large = Array.from({ length: 50 }, () => '語'.repeat(2_000));
    for (let id = 1; id <= 20; id++) results.add(id, large);
    const kept = Array.from({ length: 20 }, (_, i) => i + 1).filter((id) => results.get(id));
    expect(kept).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(results.get(20)).toEqual(large);
    // A dropped result gives its place back.
    results.drop(8);
    results.add(21, large);
    expect(results.get(9)).toBeDefined();
  });
});
