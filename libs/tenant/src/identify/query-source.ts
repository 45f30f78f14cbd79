import { AmbiguousTenantError, InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import { decodeOnce, sentIdentifier, type ImmediateSource } from './identifier-source.js';
import { readCallersTarget, findQuery } from './request-parts.js';

/**
 * Reads the tenant from a query parameter in the original request target. Parsed query strings are
 * not used, because parsers treat repeated and bracketed parameters differently.
 * @throws TenantOptionError
 */
export function querySource(parameter: string): ImmediateSource {
  if (parameter === '') {
    throw new TenantOptionError(
      'The option `queryParam` of TenantModule is empty. Pass the name of a query parameter, such as "tenant".',
    );
  }
  const place = `The query parameter \`${parameter}\``;
  return {
    name: 'query',
    place,
    isImmediate: true,
    find(req) {
      const query = findQuery(readCallersTarget(req));
      if (query === '') return undefined;
      const values: string[] = [];
      for (const pair of query.split('&')) {
        const equals = pair.indexOf('=');
        const key = formDecoded(equals === -1 ? pair : pair.slice(0, equals));
        if (key?.startsWith(`${parameter}[`)) return new InvalidTenantError(place);
        if (key === parameter) values.push(equals === -1 ? '' : pair.slice(equals + 1));
      }
      if (values.length > 1) return new AmbiguousTenantError(place);
      const [value] = values;
      if (value === undefined) return undefined;
      const decoded = formDecoded(value);
      return decoded === undefined ? new InvalidTenantError(place) : sentIdentifier(decoded);
    },
  };
}

/** Decodes a form value. A plus means a space. */
function formDecoded(text: string): string | undefined {
  return decodeOnce(text.replaceAll('+', ' '));
}
