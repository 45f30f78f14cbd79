import { describe, expect, it } from '@jest/globals';
import { Source } from 'graphql';
import { costOf } from './operation-cost.js';
import { depthOf, fragmentsIn } from './operation-depth.js';
import { operationsOf } from './operations.js';
import { countCalls } from '../../../../test/support/count-calls.js';

function read(text: string) {
  const [operation] = operationsOf([new Source(text, 'a.graphql')], () => undefined);
  return { node: operation!.node, fragments: fragmentsIn(operation!) };
}

function cost(text: string, variables: Readonly<Record<string, unknown>> = {}): number {
  const { node, fragments } = read(text);
  return costOf(node, fragments, new Set(['first', 'limit']))(variables);
}

describe('the cost of a call', () => {
  it.each([
    ['{ a }', 1],
    ['{ a { b c } d }', 4],
    ['{ a(first: 10) { b c } }', 21],
    ['{ a(first: 10) { b(limit: 5) { c } } }', 61],
    ['{ a(first: 10, limit: 20) { b } }', 21],
    ['{ a(page: { first: 10 }) { b } }', 11],
    ['{ a(first: 0) { b } }', 2],
    ['{ a(first: -3) { b } }', 4],
    ['{ a(first: -3) }', 1],
    ['{ a(pages: [{ first: 2 }, { first: 9 }]) { b } }', 10],
    ['{ a(other: 10) { b } }', 2],
    ['{ a(first: 10) { ... on B { b c } ... { d } ...F } } fragment F on B { e f }', 51],
  ])('of %s is %d', (text, expected) => {
    expect(cost(text)).toBe(expected);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['query A($n: Int) { a(first: $n) { b } }', { n: 50 }, 51],
    ['query A($n: Int) { a(first: $n) { b } }', {}, 2],
    ['query A($n: Int) { a(first: $n) { b } }', { n: null }, 2],
    ['query A($n: Int = 7) { a(first: $n) { b } }', {}, 8],
    ['query A($n: Int = 7) { a(first: $n) { b } }', { n: 2 }, 3],
    ['query A($p: Page) { a(page: $p) { b } }', { p: { first: 30, after: 'x' } }, 31],
    ['query A($p: Page) { a(page: $p) { b } }', { p: { deep: { limit: 30 } } }, 31],
    ['query A($n: Int) { a(page: { first: $n }) { b } }', { n: 4 }, 5],
    ['query A($n: Int) { a(other: $n) { b } }', { n: 50 }, 2],
    ['query A($n: Int) { a(first: $n) { b } }', { n: 0 }, 2],
    ['query A($n: Int) { a(first: $n) { b } }', { n: -2000 }, Infinity],
    ['query A($n: Int) { a(first: $n) { b } }', { n: -1 }, Infinity],
    ['query A($n: Int) { a(first: $n) }', { n: -1 }, 1],
    ['query A($n: Int = -7) { a(first: $n) { b } }', {}, 8],
    ['query A($n: Int = -7) { a(first: $n) { b } }', { n: -7 }, Infinity],
    [
      'query A($n: Int, $m: Int) { a(first: $n) { b } c(first: $m) { d } }',
      { n: -9, m: 9 },
      Infinity,
    ],
    ['query A($p: Page) { a(page: $p) { b } }', { p: { first: -5 } }, Infinity],
    ['query A($p: [Page]) { a(pages: $p) { b } }', { p: [{ first: 2 }, { first: 9 }] }, 10],
    ['query A($p: [Page]) { a(pages: $p) { b } }', { p: [{ first: -2 }] }, Infinity],
    ['query A($n: BigInt) { a(first: $n) { b } }', { n: '50' }, 51],
    ['query A($n: BigInt) { a(first: $n) { b } }', { n: '-50' }, Infinity],
    ['query A($n: Cursor) { a(first: $n) { b } }', { n: 'abc' }, 2],
  ])('of %s with %j is %d', (text, variables, expected) => {
    expect(cost(text, variables)).toBe(expected);
  });

  it('of a list with 200,000 items, or of an object with as many fields, is its largest', () => {
    const text = 'query A($p: [Page]) { a(pages: $p) { b } }';
    const pages: unknown[] = Array(200_000).fill({ first: 2 });
    expect(cost(text, { p: [...pages, { first: 9 }] })).toBe(10);
    const fields = Object.fromEntries(pages.map((page, i) => [`f${i}`, page]));
    expect(cost(text, { p: { ...fields, first: 9 } })).toBe(10);
  });

  it('visits each fragment once, though fragments multiply', () => {
    const levels = Array.from(
      { length: 24 },
      (_, i) => `fragment F${i} on Q { x { ...F${i + 1} } y { ...F${i + 1} } }`,
    );
    const text = `{ ...F0 } ${levels.join('\n')} fragment F24 on Q { z(page: $page) { w } }`;
    const { node, fragments } = read(`query A($page: Page) ${text}`);
    const found = countCalls(fragments, 'get', () => expect(depthOf(node, fragments)).toBe(26));
    expect(found).toBe(25);
    let reads = 0;
    const page = Object.defineProperty({}, 'first', { enumerable: true, get: () => (reads++, 1) });
    const visits = countCalls(fragments, 'get', () => {
      const costOfCall = costOf(node, fragments, new Set(['first']));
      expect(costOfCall({ page })).toBe(2 ** 25 - 2 + 2 * 2 ** 24);
    });
    expect(visits).toBe(25);
    expect(reads).toBe(1);
  });
});

describe('the depth of an operation', () => {
  it.each([
    ['{ a }', 1],
    ['{ a { b { c } } d }', 3],
    ['{ a { ... { b } ... on X { c { d } } } }', 3],
    ['{ a { ...F } } fragment F on X { b { ...G } } fragment G on Y { c }', 3],
  ])('of %s is %d', (text, expected) => {
    const { node, fragments } = read(text);
    expect(depthOf(node, fragments)).toBe(expected);
  });
});
