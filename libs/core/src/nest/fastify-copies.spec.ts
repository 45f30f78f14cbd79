import { describe, expect, it } from '@jest/globals';
import { withPathsOf } from './fastify-copies.js';
import type { FastifyMiddleware } from './fastify-symbols.js';

/** A function with the source text of those of Nest's adapter. */
function ofModule(this: unknown) {
  const matches = (_path: string) => false;
  const callback = () => undefined;
  return (req: { url: string }, res: unknown, next: () => void) => {
    const pathname = req.url;
    if (!matches(pathname)) return next();
    // @ts-expect-error -- Nest's adapter has it
    this.runMiddleware(callback, req, res, next);
  };
}
const used = () => undefined;
const early: FastifyMiddleware = ['/early', used];
const original: FastifyMiddleware = ['/graphql', ofModule()];
const other: FastifyMiddleware = ['/other', ofModule()];
const copy: FastifyMiddleware = [ofModule()];

describe('withPathsOf', () => {
  it('gives the copies in a plugin the paths of their originals, in their order', () => {
    const application = [early, [used], original, [used], other] as FastifyMiddleware[];
    expect(withPathsOf(application, [early, copy, [ofModule()]])).toEqual([early, original, other]);
  });

  it.each<[name: string, application: FastifyMiddleware[], plugin: FastifyMiddleware[]]>([
    ['only what the application had', [early, original], [early]],
    ['middleware of its own', [original], [copy, ['/own', used]]],
    ['middleware of its own in place of a copy', [original], [[used]]],
    ['more copies than there are originals', [original], [copy, copy]],
    ['fewer copies than there are originals', [original, other], [copy]],
    ['a copy with a path', [original], [['/graphql', ofModule()]]],
  ])('leaves the list of a plugin with %s as it is', (_name, application, plugin) => {
    expect(withPathsOf(application, plugin)).toBe(plugin);
  });
});
