import { InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import type { TenantResolverFn } from '../tenant.options.js';
import { isThenable } from '../thenable.js';
import { type SourceResult, sentIdentifier, type IdentifierSource } from './identifier-source.js';

/**
 * Reads the tenant with a function of the application. Its errors are passed on.
 * @throws TenantOptionError
 */
export function functionSource(name: string, resolve: TenantResolverFn): IdentifierSource {
  if (name === '') {
    throw new TenantOptionError(
      'A strategy of type "function" needs a name: { type: "function", name: "byToken", resolve }.',
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
      const answer = resolve(req);
      return isThenable(answer) ? answer.then(check) : check(answer);
    },
  };
}

/** The function's own name. Anonymous ones are `function`; JavaScript names those after the option, `strategy`. */
export function nameOfFunction({ name }: TenantResolverFn): string {
  return name === '' || name === 'strategy' ? 'function' : name;
}
