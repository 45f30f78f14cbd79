import { createHmac, timingSafeEqual } from 'node:crypto';
import { isImpersonator } from '../tenant-attributes.js';
import type { ImpersonationRefusal } from './impersonation.options.js';

export interface Claims {
  readonly id: string;
  readonly tenantId: string;
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export type Secret = string | Uint8Array;

/** The kind is signed. A code therefore cannot be used as a session, or a session as a code. */
export type Kind = 'code' | 'session';

/** Maximum difference between the clocks of two servers, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 5_000;

/** The result does not contain the algorithm, so a sender cannot choose an algorithm. */
export function signClaims(kind: Kind, claims: Claims, secret: Secret): string {
  const { id, tenantId, by, reason, issuedAt, expiresAt } = claims;
  const list = [id, tenantId, by, reason, issuedAt, expiresAt];
  const payload = Buffer.from(JSON.stringify(list)).toString('base64url');
  return `${payload}.${macOf(kind, payload, secret)}`;
}

/** If the string is expired or not yet valid, also returns the claims, for events. */
export function openClaims(
  kind: Kind,
  text: unknown,
  secrets: readonly Secret[],
  now: number,
): { readonly why?: ImpersonationRefusal; readonly claims?: Claims } {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return { why: 'malformed' };
  const [, payload, signature] = SIGNED.exec(text) ?? [];
  if (payload === undefined || signature === undefined) return { why: 'malformed' };
  const given = Buffer.from(signature);
  // Compares the encoded strings, because several base64 strings decode to the same bytes.
  const isGenuine = (secret: Secret) =>
    timingSafeEqual(given, Buffer.from(macOf(kind, payload, secret)));
  if (!secrets.some(isGenuine)) return { why: 'forged' };
  const claims = claimsIn(payload);
  if (claims === undefined) return { why: 'malformed' };
  if (claims.issuedAt > now + CLOCK_TOLERANCE_MS) return { why: 'early', claims };
  if (claims.expiresAt + CLOCK_TOLERANCE_MS <= now) return { why: 'expired', claims };
  return { claims };
}

/** Maximum length, checked first. Cookies have at most about 4,096 bytes (RFC 6265 §6.1). */
const MAX_LENGTH = 4_000;
/** The claims in base64url, then the 32 bytes of SHA-256 as 43 characters of base64url. */
const SIGNED = /^([\w-]+)\.([\w-]{43})$/;

function macOf(kind: Kind, payload: string, secret: Secret): string {
  return createHmac('sha256', secret)
    .update(`fledge-tenant-impersonation:1:${kind}:${payload}`)
    .digest('base64url');
}

function claimsIn(payload: string): Claims | undefined {
  let list: unknown;
  try {
    list = JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const [id, tenantId, by, reason, issuedAt, expiresAt] = list as unknown[];
  if (typeof id !== 'string' || typeof tenantId !== 'string' || typeof reason !== 'string') return;
  if (!isImpersonator(by) || !Number.isFinite(issuedAt) || !Number.isFinite(expiresAt)) return;
  return { id, tenantId, by, reason, issuedAt, expiresAt } as Claims;
}
