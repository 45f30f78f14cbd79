import { isToken } from '@fledge-internal/options';
import { AmbiguousTenantError, InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import type { TenantTrustOptions } from '../tenant.options.js';
import { sentIdentifier, type ImmediateSource } from './identifier-source.js';
import { compileTrust } from './peer-trust.js';
import { countSent } from './request-parts.js';

/** Ignores the header if the sender is not trusted. @throws TenantOptionError */
export function headerSource(
  header: string,
  trust: Required<TenantTrustOptions>['header'],
): ImmediateSource {
  const name = parseHeaderName(header);
  const place = `The header ${name}`;
  const isTrusted = compileTrust(trust);

  return {
    name: 'header',
    place,
    isImmediate: true,
    find(req) {
      const value: unknown = req.headers[name];
      if (value === undefined || !isTrusted(req)) return undefined;
      if (countSent(req, name) > 1) return new AmbiguousTenantError(place);
      return typeof value === 'string' ? sentIdentifier(value) : new InvalidTenantError(place);
    },
  };
}

/**
 * Converts a header's name to lower case, like Node.js.
 * @throws TenantOptionError if the name is not a field name (RFC 9110 §5.1), or is `host`
 */
export function parseHeaderName(header: string): string {
  if (!isToken(header)) {
    throw new TenantOptionError(
      `The option \`header\` of TenantModule is "${header}", which is not a valid header name. Pass a name such ` +
        `as "x-tenant-id".`,
    );
  }
  const name = header.toLowerCase();
  if (name === 'host') {
    throw new TenantOptionError(
      `The option \`header\` of TenantModule is "${header}", but the host is not a tenant. Use the strategy ` +
        '"subdomain", or pass the name of another header.',
    );
  }
  return name;
}
