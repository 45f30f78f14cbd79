// A page that says "never", "all" or "the same" names the test that holds it to its word.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const PROMISE = /\b(never|all|the same|same|whatever|always|impossible|exactly)\b/i;

/** The words of a page, the spec file, the title of its test. */
const kept: [page: string, words: string, spec: string, title: string][] = [
  ['README.md', 'A tool call is a request: same', 'trace', 'is its route called directly: $name'],
  [
    'README.md',
    'the redirect is named, never followed',
    'anchors',
    'a redirect is told, not followed',
  ],
  [
    'docs/access.md',
    'Swagger UI, server-sent events',
    'access',
    'exposes in auto mode nothing of swagger',
  ],
  [
    'docs/access.md',
    'Swagger UI, server-sent events',
    'routes',
    'leave out server-sent events and rendered',
  ],
  [
    'docs/access.md',
    'are never exposed',
    'uploads',
    'is exposed by no mark of an upload in auto mode',
  ],
  [
    'docs/live-calls.md',
    'of the same call and caller',
    'live-call',
    'nothing but the same call of the same caller may bring',
  ],
];

const PAGES = [
  'README.md',
  'docs/access.md',
  'docs/live-calls.md',
  'docs/middleware.md',
  'docs/resources-and-prompts.md',
  'docs/testing.md',
];

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the promises of the pages', () => {
  it.each(PAGES)('of %s have a test', (page) => {
    const prose = read(`../${page}`).replace(/^```[\s\S]*?^```$/gm, '');
    const promises = prose
      .split('\n')
      .filter((line) => PROMISE.test(line.replaceAll(/`[^`]*`/g, '')));
    const known = kept.filter(([of]) => of === page).map(([, words]) => words);
    const unkept = promises.filter((line) => !known.some((words) => line.includes(words)));
    expect(unkept).toEqual([]);
  });

  it.each(kept)('%s: "%s" is held by %s.spec.ts, "%s"', (page, words, spec, title) => {
    expect(read(`../${page}`)).toContain(words);
    expect(read(`./${spec}.spec.ts`)).toContain(title);
  });
});
