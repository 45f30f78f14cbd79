import { describe, expect, it } from '@jest/globals';
import { OpenContext } from './open-context.js';
import { sharedMethods } from './shared-methods.js';

// Not `extends OpenContext`: with @fledge/query in the program that declares `qs` too.
interface Extended extends Pick<OpenContext, 'memo'> {
  qs(): unknown;
  paginate(): unknown;
  wordCount(): number;
}

const contextOf = (provided?: (token: unknown) => unknown) =>
  new OpenContext(
    { headers: {}, method: 'GET', url: '/' },
    { statusCode: 200 },
    provided,
  ) as unknown as Extended;

describe('methods that packages add to RequestContext', () => {
  it.each(['qs', 'paginate'] as const)('name the package of ctx.%s() that is missing', (name) => {
    expect(() => contextOf()[name]()).toThrow(
      expect.objectContaining({
        code: 'CORE_MISSING_PACKAGE',
        message: expect.stringMatching(
          `^ctx\\.${name}\\(\\) .* Run "npm install @fledge/query" and import from '@fledge/query/nest'`,
        ),
      }),
    );
  });

  it('are found on contexts made before and after', () => {
    const before = contextOf();
    const shared = (globalThis as Record<symbol, Record<string, unknown>>)[
      Symbol.for('fledge:RequestContext.methods')
    ]!;
    expect(shared).toBe(sharedMethods);
    shared['wordCount'] = function wordCount(this: Extended) {
      return this.memo(Symbol.for('test:words'), (provided) => Number(provided('words')));
    };
    expect(before.wordCount()).toBeNaN();
    expect(contextOf((token) => (token === 'words' ? 3 : undefined)).wordCount()).toBe(3);
    delete shared['wordCount'];
  });

  it('keep what they make for one request', () => {
    const ctx = contextOf();
    const key = Symbol('test');
    const made = ctx.memo(key, () => ({}));
    expect(ctx.memo(key, () => ({}))).toBe(made);
    expect(contextOf().memo(key, () => ({}))).not.toBe(made);
  });
});
