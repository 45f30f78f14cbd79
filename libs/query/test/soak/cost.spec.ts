import { describe, expect, it } from '@jest/globals';
import { compileQuery, InvalidQueryError, joinList, splitList } from '@fledge/query';

/**
 * The least processor time of several runs, in microseconds. Excludes other processes. Returns at least 200:
 * below, caches of the processor decide; a quadratic parser needs far more for the shortest text.
 */
function microsecondsOf(work: () => void, runs = 15): number {
  let best = Infinity;
  for (let run = 0; run < runs; run++) {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, user + system);
  }
  return Math.max(200, best);
}

const config = { filterable: ['a'], sortable: ['a'] };
const parse = compileQuery(config, {
  where: true,
  limits: { maxFilters: 1e6, maxListItems: 1e6, maxValueLength: 1e6 },
});
const swallow = (query: object) => {
  try {
    parse(query);
  } catch (error) {
    if (!(error instanceof InvalidQueryError)) throw error;
  }
};

/** Queries of about `n` characters, each the worst case for a part of the parser. */
const HOSTILE: [string, (n: number) => () => void][] = [
  ['colons', (n) => () => swallow({ filter: ':'.repeat(n), sort: ':'.repeat(n) })],
  ['blanks', (n) => () => swallow({ q: `a${' '.repeat(n)}b`, page: `1${' '.repeat(n)}x` })],
  [
    'spaces at both ends',
    (n) => () => swallow({ page: `${' '.repeat(n)}1${' '.repeat(n)}`, limit: ' '.repeat(n) }),
  ],
  ['digits', (n) => () => swallow({ page: '9'.repeat(n), limit: `${'9'.repeat(n)}x` })],
  ['pairs', (n) => () => swallow({ q: '😀'.repeat(n / 2), filter: `a:eq:${'😀'.repeat(n / 2)}` })],
  [
    'half pairs',
    (n) => () => swallow({ q: '\ud800'.repeat(n), filter: `a:eq:${'\ud800'.repeat(n)}` }),
  ],
  ['list blanks', (n) => () => swallow({ filter: `a:in:${' '.repeat(n)}x${' '.repeat(n)}` })],
  ['list commas', (n) => () => swallow({ filter: `a:in:${','.repeat(n)}` })],
  ['list escapes', (n) => () => splitList('\\ '.repeat(n / 2))],
  ['list of blanks and text', (n) => () => joinList([`a${' '.repeat(n)}b`])],
  ['filters', (n) => () => swallow({ filter: Array.from({ length: n / 10 }, () => 'a:eq:value') })],
  [
    'unlisted filters',
    (n) => () => swallow({ filter: Array.from({ length: n / 10 }, (_, i) => `x${i}:eq:1`) }),
  ],
  ...['x', '\\"', ' ', 'or('].map((part): (typeof HOSTILE)[number] => [
    `a quoted value of ${part}`,
    (n) => () => swallow({ where: `a:eq:"${part.repeat(n / part.length)}"(` }),
  ]),
  ['sorts', (n) => () => swallow({ sort: Array.from({ length: n / 10 }, () => 'a:asc') })],
  [
    'indices',
    (n) => () =>
      swallow(
        Object.fromEntries(
          Array.from({ length: n / 20 }, (_, i) => [`filter[${n - i}]`, 'a:eq:1']),
        ),
      ),
  ],
  [
    'brackets',
    (n) => () =>
      swallow({ [`filter${'['.repeat(n)}]`]: 'a', [`${'filter['.repeat(n / 7)}]`]: 'b' }),
  ],
];

describe('the time of parsing', () => {
  it.each(HOSTILE)('grows linearly with the length of %s', (_, workOf) => {
    const small = microsecondsOf(workOf(20_000));
    const large = microsecondsOf(workOf(320_000));
    // 16 times the text takes 16 times as long if linear, 256 times if quadratic.
    expect(large / small).toBeLessThan(100);
  });

  it('does not depend on the number of listed columns', () => {
    const query = { filter: ['a:eq:1', 'x:eq:2'], sort: 'a:asc', page: '2', limit: '10', q: 'b' };
    const listed = (count: number) => ['a', ...Array.from({ length: count }, (_, i) => `c${i}`)];
    const timeOf = (count: number) => {
      const compiled = compileQuery({ filterable: listed(count), sortable: listed(count) });
      return microsecondsOf(() => {
        for (let i = 0; i < 2000; i++) compiled(query);
      });
    };
    timeOf(1);
    expect(timeOf(2000) / timeOf(1)).toBeLessThan(5);
  });
});
