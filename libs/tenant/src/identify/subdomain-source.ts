import { AmbiguousTenantError, InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import type { SourceResult, ImmediateSource } from './identifier-source.js';
import { parseHost } from './host.js';
import type { ResolvedSubdomainOptions } from './identify-options.js';
import { countSent } from './request-parts.js';

/** `host` reads the `Host` header. `forwarded` prefers the `X-Forwarded-Host` header. */
export type HostOrigin = 'host' | 'forwarded';

const PLACE = 'The host';

/** @throws TenantOptionError */
export function subdomainSource(
  { baseDomains, reserved, level }: ResolvedSubdomainOptions,
  origin: HostOrigin,
): ImmediateSource {
  const bases = baseDomains?.map(labelsOfBase).sort((a, b) => b.length - a.length);
  if (bases?.length === 0) {
    throw new TenantOptionError(
      '`subdomain.baseDomains` of TenantModule is empty, so no host contains a tenant. List domains such as ' +
        '"example.com", or remove the option.',
    );
  }
  const taken = new Set(reserved.map((label) => label.toLowerCase()));

  return {
    name: 'subdomain',
    place: PLACE,
    isImmediate: true,
    find(req) {
      const sent = hostOf(req, origin);
      if (typeof sent !== 'string') return sent;
      const host = parseHost(sent);
      if (host.kind === 'malformed') return new InvalidTenantError(PLACE);
      if (host.kind === 'address') return undefined;
      const below =
        bases === undefined ? belowAnyDomain(host.labels) : belowOne(host.labels, bases);
      if (level === 'single' && below.length > 1) return undefined;
      const label = level === 'last' ? below.at(-1) : below[0];
      return label === undefined || taken.has(label) ? undefined : label;
    },
  };
}

/** Returns an error if the request has several hosts. */
function hostOf(req: TenantRequest, origin: HostOrigin): SourceResult {
  const forwarded = origin === 'forwarded' ? forwardedHostOf(req) : undefined;
  if (forwarded !== undefined) return forwarded;
  const { host, ':authority': authority = host } = req.headers;
  if (host === undefined || host === '') return (authority as string | undefined) || undefined;
  // A request may have only one `Host` line (RFC 9112 §3.2). Over HTTP/2, this line must equal
  // `:authority` (RFC 9113 §8.3.1).
  if (countSent(req, 'host') > 1 || host !== authority) return new AmbiguousTenantError(PLACE);
  return host;
}

/**
 * If proxies append to the header, the header becomes a list, and the correct entry is unknown.
 * Lists with different hosts are therefore rejected, and also an empty entry next to a host.
 */
function forwardedHostOf(req: TenantRequest): SourceResult {
  const sent = [req.headers['x-forwarded-host'] ?? []].flat().flatMap((line) => line.split(','));
  const [host, ...others] = new Set(sent.map((one) => one.trim().toLowerCase()));
  if (others.length > 0) return new AmbiguousTenantError('The header x-forwarded-host');
  return host || undefined;
}

/**
 * Returns the labels before the longest base domain that matches. Returns an empty list if none
 * matches, or if the host is a base domain.
 */
function belowOne(
  labels: readonly string[],
  bases: readonly (readonly string[])[],
): readonly string[] {
  const base = bases.find((domain) =>
    domain.every((label, i) => label === labels[labels.length - domain.length + i]),
  );
  return base === undefined ? [] : labels.slice(0, -base.length);
}

/** The default base domain is the last two labels, or `localhost`. */
function belowAnyDomain(labels: readonly string[]): readonly string[] {
  return labels.slice(0, labels.at(-1) === 'localhost' ? -1 : -2);
}

function labelsOfBase(domain: string): readonly string[] {
  const base = parseHost(domain);
  if (base.kind === 'name' && !domain.includes(':')) return base.labels;
  throw new TenantOptionError(
    `\`subdomain.baseDomains\` of TenantModule has "${domain}", which is not a domain. Pass the domain without ` +
      `scheme, port and leading dot, such as "example.com".`,
  );
}
