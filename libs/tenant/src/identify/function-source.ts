import { InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import type { TenantResolverFn } from '../tenant.options.js';
import { type FunctionSource, sentIdentifier } from './identifier-source.js';

/** Rethrows the function's errors. @throws TenantOptionError */
export function functionSource(name: string, resolve: TenantResolverFn): FunctionSource {
  if (name === '') {
    throw new TenantOptionError(
      'A strategy of type "function" needs a `name`: ' +
        '{ type: "function", name: "byToken", resolve }.',
    );
  }
  const place = `The result of the function "${name}"`;
  return {
    name,
    place,
    isImmediate: false,
    async find(req) {
      // The result can have any type if the application is written in JavaScript.
      const answer: unknown = await resolve(req);
      if (answer === undefined || answer === null) return undefined;
      return typeof answer === 'string' ? sentIdentifier(answer) : new InvalidTenantError(place);
    },
  };
}

/**
 * Returns the function's name, or `function` if the function is anonymous. The function in
 * `strategy: () => ...` gets the name `strategy` from JavaScript.
 */
export function nameFunction({ name }: TenantResolverFn): string {
  return name === '' || name === 'strategy' ? 'function' : name;
}
