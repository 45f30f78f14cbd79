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

/** Options of `TenantImpersonationModule.forRoot()`. */
export interface TenantImpersonationOptions {
  /**
   * Secrets that sign codes and sessions (HMAC-SHA-256), of 32 bytes or more: the first one signs, the
   * others still verify. To rotate, put the new one first. Set one list where codes are issued and redeemed.
   */
  readonly secrets: readonly [string | Uint8Array, ...(string | Uint8Array)[]];
  /** Milliseconds in which a code must be redeemed, at most 600,000. @default 60_000 */
  readonly codeMs?: number;
  /** Milliseconds that a session lasts, at most 28,800,000 (8 hours). @default 900_000 */
  readonly sessionMs?: number;
  /**
   * Where used codes are kept. Processes must share it: each would accept a code once otherwise.
   * @default memory of this process, at most 10,000 codes
   */
  readonly usedCodes?: UsedCodes;
  /** Cookie that carries the session. @default '__Host-tenant-impersonation' */
  readonly cookie?: string;
  /** Header that carries the session, for clients without cookies. @default 'x-tenant-impersonation' */
  readonly header?: string;
  /** Called for each code that is issued, redeemed or refused. @default writes a line to Nest's logger */
  readonly onEvent?: (event: ImpersonationEvent) => void;
}

/** Keeps the codes that were used. */
export interface UsedCodes {
  /**
   * Marks a code as used. Returns true to one caller only, also if several ask at once, in any process.
   * If it throws or rejects, the code is not accepted.
   */
  take(code: UsedCode): boolean | Promise<boolean>;
}

export interface UsedCode {
  /** 22 characters of base64url. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Until when the id must be kept, in milliseconds since 1970. */
  readonly keepUntil: number;
}

/** Who wants to act in which tenant. */
export interface ImpersonationRequest {
  /** An identifier, as a request would send it. */
  readonly tenant: string;
  /** The support person: 1 to 128 characters, such as an id or an e-mail address. Shown in logs. */
  readonly by: string;
  /** Why, such as the number of a ticket: 1 to 200 characters. */
  readonly reason: string;
}

/** A support person who acts in a tenant. */
export interface Impersonation {
  /** The same for the code, its session, and the events of both. */
  readonly id: string;
  readonly tenantId: string;
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface ImpersonationSession extends Impersonation {
  /** The signed session. Set it as the cookie, or send it in the header. Keep it secret. */
  readonly session: string;
}

export type ImpersonationEvent =
  | ({ readonly kind: 'issued' | 'redeemed' } & Impersonation)
  | ({
      readonly kind: 'refused';
      /** Not shown to clients. */
      readonly why: ImpersonationRefusal;
      /** The tenant of the request. */
      readonly at: string;
    } & Partial<Impersonation>);

/** Why a code or a session is refused. */
export type ImpersonationRefusal =
  | 'malformed'
  | 'forged'
  | 'early'
  | 'expired'
  | 'used'
  | 'other tenant'
  | 'ambiguous';

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

/**
 * Keeps used codes in the memory of this process. Refuses codes from before its start, which a process
 * that was restarted may have accepted, and further codes while it is full.
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
