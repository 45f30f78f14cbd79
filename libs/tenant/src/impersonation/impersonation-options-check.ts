import {
  atLeast,
  callback,
  isObject,
  kind,
  type OptionTable,
  readOptions,
  rule,
} from '@fledge-internal/options';
import { placeOf } from '../option-rules.js';
import type { TenantImpersonationOptions, UsedCodes } from './impersonation.options.js';
import { MemoryUsedCodes } from './used-codes.js';

/** The options with every default applied. */
export interface ResolvedImpersonationOptions extends Required<
  Omit<TenantImpersonationOptions, 'onEvent'>
> {
  readonly onEvent: TenantImpersonationOptions['onEvent'];
}

type Secrets = TenantImpersonationOptions['secrets'];

const MIN_SECRET_BYTES = 32;

// A token of RFC 9110 §5.6.2, which RFC 6265 §4.1.1 asks of cookie names too.
const name = kind<string>(
  'a valid name',
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
);

const usedCodes = kind<UsedCodes>(
  'an object with the function take',
  (value) => isObject(value) && typeof value['take'] === 'function',
);

const OPTIONS = {
  secrets: rule<Secrets, Secrets>((given, place) => {
    if (Array.isArray(given) && given.length > 0 && given.every(isLong)) return given;
    // Without the value, which may be a secret.
    throw place.error(
      `must be a list of secrets of ${MIN_SECRET_BYTES} bytes or more. Create one with randomBytes(32), and set it on ` +
        `each server`,
    );
  }),
  codeMs: atLeast(1, 600_000).default(60_000),
  sessionMs: atLeast(1, 28_800_000).default(900_000),
  usedCodes: rule((given: UsedCodes | undefined, place) =>
    given === undefined ? new MemoryUsedCodes() : usedCodes.required.read(given, place),
  ),
  cookie: name.default('__Host-tenant-impersonation'),
  header: rule((given: string | undefined, place) =>
    name.default('x-tenant-impersonation').read(given, place).toLowerCase(),
  ),
  onEvent: callback<NonNullable<TenantImpersonationOptions['onEvent']>>().optional,
} satisfies OptionTable<TenantImpersonationOptions>;

/**
 * Checks the options and applies the defaults.
 * @throws TenantOptionError
 */
export function checkedImpersonationOptions(
  given: TenantImpersonationOptions | undefined,
): ResolvedImpersonationOptions {
  return readOptions(given ?? {}, OPTIONS, placeOf('TenantImpersonationModule.forRoot'));
}

function isLong(secret: unknown): boolean {
  const isText = typeof secret === 'string' || secret instanceof Uint8Array;
  return isText && Buffer.byteLength(secret) >= MIN_SECRET_BYTES;
}
