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

  it('drops the oldest when all together are larger than 4 MB', () => {
    const results = new CallResults();
    const large = Array.from({ length: 50 }, () =>
      Array.from({ length: 9 }, () => 'y'.repeat(2_000)),
    );
    for (let id = 1; id <= 6; id++) results.add(id, large);
    const kept = [1, 2, 3, 4, 5, 6].filter((id) => results.get(id) !== undefined);
    expect(kept).toEqual([3, 4, 5, 6]);
    // A dropped result gives its place back.
    results.drop(3);
    results.add(7, large);
    expect(results.get(4)).toBeDefined();
  });
});
