import {
  atLeast,
  callback,
  isObject,
  kind,
  type OptionTable,
  readOptions,
  rule,
  isToken,
} from '@fledge-internal/options';
import { listVaryHeaders } from '../identify/create-sources.js';
import { placeOf } from '../option-rules.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';

/** Options of `TenantImpersonationModule.forRoot()`. */
export interface TenantImpersonationOptions {
  /**
   * Secrets that sign codes and sessions (HMAC-SHA-256). Each has at least 32 bytes. The first
   * secret signs, and the others only verify. To rotate, put the new secret first. Use the same
   * list on all servers that issue or redeem codes.
   */
  readonly secrets: readonly [string | Uint8Array, ...(string | Uint8Array)[]];
  /** Milliseconds for which a code is valid, at most 600,000. @default 60_000 */
  readonly codeMs?: number;
  /** Lifetime of a session in milliseconds, at most 28,800,000 (8 hours). @default 900_000 */
  readonly sessionMs?: number;
  /**
   * Stores used codes. All processes must share the store. Otherwise, each process would accept a
   * code once.
   * @default memory of this process, at most 10,000 codes
   */
  readonly usedCodes?: UsedCodes;
  /** Name of the cookie that contains the session. @default '__Host-tenant-impersonation' */
  readonly cookie?: string;
  /**
   * Name of the header that contains the session, for clients without cookies.
   * @default 'x-tenant-impersonation'
   */
  readonly header?: string;
  /**
   * Called for each code that is issued, redeemed or rejected.
   * @default a log line from Nest's logger
   */
  readonly onEvent?: (event: ImpersonationEvent) => void;
}

/** Stores the used codes. */
export interface UsedCodes {
  /**
   * Marks a code as used. Returns true only for the first call, even if several processes call
   * `take` at the same time. If `take` throws or rejects, the code is not accepted.
   */
  take(code: UsedCode): boolean | Promise<boolean>;
}

export interface UsedCode {
  /** 22 characters of base64url. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** The id must be stored until this time, in milliseconds since 1970. */
  readonly keepUntil: number;
}

/** A request to act in a tenant. */
export interface ImpersonationRequest {
  /** Identifier of the tenant, as a client sends it. */
  readonly tenant: string;
  /**
   * The support person: 1 to 128 characters, such as an id or an e-mail address. Logs contain it.
   */
  readonly by: string;
  /** The reason, such as a ticket number: 1 to 200 characters. */
  readonly reason: string;
}

/** A support person who acts in a tenant. */
export interface Impersonation {
  /** Id of the code. The session and the events of the code have the same id. */
  readonly id: string;
  readonly tenantId: string;
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface ImpersonationSession extends Impersonation {
  /**
   * The signed session. Set the session as the cookie, or let the client send it in the header.
   * Keep the session secret.
   */
  readonly session: string;
}

export type ImpersonationEvent =
  | ({ readonly kind: 'issued' | 'redeemed' } & Impersonation)
  | ({
      readonly kind: 'refused';
      /** The reason of the rejection. Clients do not receive it. */
      readonly why: ImpersonationRefusal;
      /** The tenant of the request. */
      readonly at: string;
    } & Partial<Impersonation>);

/** The reason why a code or a session is rejected. */
export type ImpersonationRefusal =
  | 'malformed'
  | 'forged'
  | 'early'
  | 'expired'
  | 'used'
  | 'other tenant'
  | 'ambiguous';

/** The options after all defaults are applied. */
export interface ResolvedImpersonationOptions extends Required<
  Omit<TenantImpersonationOptions, 'onEvent'>
> {
  readonly onEvent: TenantImpersonationOptions['onEvent'];
}

type Secrets = TenantImpersonationOptions['secrets'];

const MIN_SECRET_BYTES = 32;

// Cookie names must also be tokens (RFC 6265 §4.1.1).
const name = kind<string>('a valid cookie or header name', isToken);

const usedCodes = kind<UsedCodes>(
  'an object with a take() function',
  (value) => isObject(value) && typeof value['take'] === 'function',
);

/** Every value in the header counts as a session, so requests with other values are rejected. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host']);

const OPTIONS = {
  secrets: rule<Secrets, Secrets>((given, place) => {
    if (Array.isArray(given) && given.length > 0 && given.every(isLong)) return given;
    // The message does not contain the value, because the value may be a secret.
    throw place.error(
      `must be a list of secrets, each with ${MIN_SECRET_BYTES} bytes or more. Create a secret ` +
        `with randomBytes(32), and set the same secret on each server`,
    );
  }),
  codeMs: atLeast(1, 600_000).default(60_000),
  sessionMs: atLeast(1, 28_800_000).default(900_000),
  usedCodes: rule((given: UsedCodes | undefined, place) =>
    given === undefined ? new MemoryUsedCodes() : usedCodes.required.read(given, place),
  ),
  cookie: name.default('__Host-tenant-impersonation'),
  header: rule((given: string | undefined, place) => {
    const header = name.default('x-tenant-impersonation').read(given, place).toLowerCase();
    if (!RESERVED_HEADERS.has(header)) return header;
    throw place.wrong(header, 'a header that clients send only with a session');
  }),
  onEvent: callback<NonNullable<TenantImpersonationOptions['onEvent']>>().optional,
} satisfies OptionTable<TenantImpersonationOptions>;

/**
 * @param tenant undefined if `TenantModule` is not imported
 * @throws TenantOptionError
 */
export function checkedImpersonationOptions(
  given: TenantImpersonationOptions | undefined,
  tenant: ResolvedTenantOptions | undefined,
): ResolvedImpersonationOptions {
  const place = placeOf('TenantImpersonationModule.forRoot');
  const options = readOptions(given ?? {}, OPTIONS, place);
  if (tenant === undefined || !listVaryHeaders(tenant).includes(options.header)) return options;
  throw place
    .at('header')
    .error(
      `is "${options.header}", but TenantModule.forRoot() reads the tenant from this header. Give ` +
        'the option `header` of one of the two modules another name',
    );
}

function isLong(secret: unknown): boolean {
  const isText = typeof secret === 'string' || secret instanceof Uint8Array;
  return isText && Buffer.byteLength(secret) >= MIN_SECRET_BYTES;
}

/**
 * Stores used codes in memory. Rejects codes that were issued before the process started, because
 * they may already be used. If the memory is full, rejects all codes.
 */
export class MemoryUsedCodes implements UsedCodes {
  private readonly used = new Map<string, number>();
  private readonly since: number;

  constructor(
    private readonly max = 10_000,
    private readonly now: () => number = Date.now,
  ) {
    this.since = now();
  }

  take({ id, issuedAt, keepUntil }: UsedCode): boolean {
    if (issuedAt < this.since || this.used.has(id)) return false;
    if (this.used.size >= this.max) this.forgetExpired();
    if (this.used.size >= this.max) return false;
    this.used.set(id, keepUntil);
    return true;
  }

  private forgetExpired(): void {
    const now = this.now();
    for (const [id, keepUntil] of this.used) if (keepUntil <= now) this.used.delete(id);
  }
}
