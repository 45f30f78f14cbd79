import { completed } from '@fledge/core/packages';
import { InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import type { TenantResolverFn } from '../tenant.options.js';
import { type SourceResult, sentIdentifier, type IdentifierSource } from './identifier-source.js';

/**
 * Reads the tenant with a function of the application. Its errors are passed on.
 * @throws TenantOptionError
 */
export function functionSource(name: string, resolve: TenantResolverFn): IdentifierSource {
  if (typeof name !== 'string' || name === '' || typeof resolve !== 'function') {
    throw new TenantOptionError(
      'A strategy of type "function" needs a name and a function: ' +
        '{ type: "function", name: "byToken", resolve: (req) => identifier }.',
    );
  }
  const place = `The result of ${name}`;
  const check = (answer: unknown): SourceResult => {
    if (answer === undefined || answer === null) return undefined;
    return typeof answer === 'string' ? sentIdentifier(answer) : new InvalidTenantError(place);
  };
  return {
    name,
    place,
    find(req) {
      const answer = resolve(completed(req));
      return isPromiseLike(answer) ? answer.then(check) : check(answer);
    },
  };
}

/** The function's own name. Anonymous ones are `function`; JavaScript names those after the option, `strategy`. */
export function nameOfFunction({ name }: TenantResolverFn): string {
  return name === '' || name === 'strategy' ? 'function' : name;
}

export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
