import type { RequestContext } from '@fledge/core';

/** Records the values that are set on a context from now on, to set them on other contexts. */
export function recordValues(ctx: RequestContext, values: Map<string, unknown>): void {
  const set = ctx.set.bind(ctx);
  Object.defineProperty(ctx, 'set', {
    configurable: true,
    value: (key: string, value: unknown) => {
      values.set(key, value);
      set(key, value);
    },
  });
}

/** Sets recorded values on another context. */
export function setValues(ctx: RequestContext, values: ReadonlyMap<string, unknown>): void {
  for (const [key, value] of values) ctx.set(key, value);
}
