import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { requireInteger } from '../numeric-options.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantImpersonationOptions } from './impersonation.options.js';
import { MemoryUsedCodes } from './used-codes.js';

/** The options with every default applied. */
export type ResolvedImpersonationOptions = Required<Omit<TenantImpersonationOptions, 'onEvent'>> &
  Pick<TenantImpersonationOptions, 'onEvent'>;

const CALL = 'TenantImpersonationModule.forRoot';
const MIN_SECRET_BYTES = 32;

const KNOWN: KnownOptions<TenantImpersonationOptions> = {
  secrets: true,
  codeMs: true,
  sessionMs: true,
  usedCodes: true,
  cookie: true,
  header: true,
  onEvent: true,
};

/**
 * Checks the options and applies the defaults.
 * @throws TenantOptionError
 */
export function checkedImpersonationOptions(
  given: TenantImpersonationOptions | undefined,
): ResolvedImpersonationOptions {
  // JavaScript callers may pass anything, and an async factory may return undefined.
  const options: Partial<TenantImpersonationOptions> = given ?? {};
  refuseUnknownOptions(options, KNOWN, CALL, TenantOptionError);
  const { secrets, codeMs = 60_000, sessionMs = 900_000 } = options;
  const { cookie = '__Host-tenant-impersonation', header = 'x-tenant-impersonation' } = options;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every(isLong)) {
    throw new TenantOptionError(
      `${CALL}({ secrets }) must be a list of secrets of ${MIN_SECRET_BYTES} bytes or more. Create one ` +
        `with randomBytes(32), and set it on each server.`,
    );
  }
  requireAtMost('codeMs', codeMs, 600_000);
  requireAtMost('sessionMs', sessionMs, 28_800_000);
  for (const [option, name] of Object.entries({ cookie, header })) {
    // A token of RFC 9110 §5.6.2, which RFC 6265 §4.1.1 asks of cookie names too.
    if (typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue;
    throw new TenantOptionError(`${CALL}({ ${option} }) is not a valid name.`);
  }
  const { usedCodes = new MemoryUsedCodes(), onEvent } = options;
  return {
    secrets: secrets as never,
    codeMs,
    sessionMs,
    usedCodes,
    cookie,
    header: header.toLowerCase(),
    ...(onEvent && { onEvent }),
  };
}

function requireAtMost(option: string, value: number, most: number): void {
  requireInteger(`${CALL}({ ${option} })`, value, 1);
  if (value <= most) return;
  throw new TenantOptionError(`${CALL}({ ${option} }) is ${value}. Pass ${most} at most.`);
}

function isLong(secret: unknown): boolean {
  const isText = typeof secret === 'string' || secret instanceof Uint8Array;
  return isText && Buffer.byteLength(secret) >= MIN_SECRET_BYTES;
}
