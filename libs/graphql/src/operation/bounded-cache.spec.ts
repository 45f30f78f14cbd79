import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BoundedCache } from './bounded-cache.js';

const bounds = { maxEntries: 3, maxBytes: 10, maxEntryBytes: 6 };

describe('a bounded cache', () => {
  it('evicts the oldest entry', () => {
    const cache = new BoundedCache<number>(bounds);
    ['a', 'b', 'c', 'd'].forEach((key, i) => cache.add(key, i, 1));
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([undefined, 1, 2, 3]);
  });

  it('spares what was used since it was added or spared', () => {
    const cache = new BoundedCache<number>(bounds);
    ['a', 'b', 'c'].forEach((key, i) => cache.add(key, i, 1));
    cache.get('a');
    cache.add('d', 3, 1);
    expect([cache.get('a'), cache.get('b')]).toEqual([0, undefined]);
  });

  it('stores a new entry also if the others were used', () => {
    const cache = new BoundedCache<number>(bounds);
    ['a', 'b', 'c'].forEach((key, i) => cache.add(key, i, 1));
    ['a', 'b', 'c'].forEach((key) => cache.get(key));
    cache.add('d', 3, 1);
    expect([cache.get('d'), cache.get('a')]).toEqual([3, undefined]);
  });

  it('does not store an entry that is too large, and evicts none for it', () => {
    const cache = new BoundedCache<number>(bounds);
    cache.add('a', 0, 6);
    cache.add('b', 1, 7);
    expect([cache.get('a'), cache.get('b')]).toEqual([0, undefined]);
  });

  it('holds its bounds whatever is added and read', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const step = fc.record({ key, bytes: fc.integer({ min: 0, max: 8 }), reads: fc.array(key) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const cache = new BoundedCache<number>(bounds);
        for (const { key, bytes, reads } of steps) {
          reads.forEach((each) => cache.get(each));
          cache.add(key, bytes, bytes);
          const kept = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((each) => cache.get(each) ?? []);
          expect(kept.length).toBeLessThanOrEqual(bounds.maxEntries);
          expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bounds.maxBytes);
        }
      }),
    );
  });
});
