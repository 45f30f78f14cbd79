import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common';
import type { ResolvedBearer, ResolvedMcpAuth } from '../../options/auth-checks.js';
import type { McpPrincipal } from '../../options/auth-options.js';
import { hasScopes } from '../methods/client-request.js';
import { ErrorCode } from '../protocol/json-rpc.js';
import { insufficientScope, type Refusal } from '../protocol/refusals.js';
import { principalFault } from '../../options/principal-check.js';
import { type TokenVerdict, TokenVerifier } from './token-verifier.js';

type Admission =
  | { readonly kind: 'admitted'; readonly principal: McpPrincipal | undefined }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The returned promise never rejects. */
export type Admit = (request: IncomingMessage) => Promise<Admission>;

/**
 * Verifiers by `auth` object. Endpoints with the same `auth` share one verifier, so the provider's
 * keys are read only once.
 */
const verifiers = new WeakMap<ResolvedMcpAuth, Promise<TokenVerifier>>();

/** @param endpoint path of the endpoint */
export async function admissionFor(auth: ResolvedMcpAuth, endpoint: string): Promise<Admit> {
  if (auth.type === 'bearer') return (request) => admittedByFunction(request, auth, endpoint);
  const loading = verifiers.get(auth) ?? TokenVerifier.load(auth);
  verifiers.set(auth, loading);
  const verifier = await loading;
  return async (request) => {
    const token = bearerTokenOf(request.headers.authorization);
    if (token === undefined) return unauthorized(auth);
    return admissionOf(await verifier.verify(token), auth);
  };
}

/** Rejects the request if `validate` throws. */
async function admittedByFunction(
  request: IncomingMessage,
  auth: ResolvedMcpAuth & ResolvedBearer,
  endpoint: string,
): Promise<Admission> {
  const token = bearerTokenOf(request.headers.authorization);
  if (token === undefined) return unauthorized(auth);
  try {
    const verdict = await auth.validate(token, {
      headers: request.headers,
      remoteAddress: request.socket.remoteAddress,
      principal: undefined,
      endpoint,
    });
    if (!verdict) return unauthorized(auth, 'invalid');
    if (verdict === true) return { kind: 'admitted', principal: undefined };
    const fault = principalFault(verdict);
    if (fault === undefined) return { kind: 'admitted', principal: verdict };
    new Logger('McpModule').error(
      `auth.validate returned an invalid value, so the request is rejected: ${fault}.`,
    );
    return unauthorized(auth, 'invalid');
  } catch (error) {
    new Logger('McpModule').warn(
      `auth.validate threw an error, so the request is rejected: ${String(error)}`,
    );
    return unauthorized(auth, 'invalid');
  }
}

function admissionOf(verdict: TokenVerdict, auth: ResolvedMcpAuth): Admission {
  if (verdict.kind === 'unavailable') return { kind: 'refused', refusal: KEYS_UNAVAILABLE };
  if (verdict.kind !== 'valid') return unauthorized(auth, verdict.kind);
  const { principal } = verdict;
  const { requiredScopes, metadataUrl } = auth;
  return hasScopes(principal, requiredScopes)
    ? { kind: 'admitted', principal }
    : { kind: 'refused', refusal: insufficientScope(requiredScopes, metadataUrl) };
}

/**
 * Returns the token of `Authorization: Bearer` (RFC 6750 §2.1), or undefined if there is none.
 * Allows other visible characters too, because some frameworks create such tokens.
 */
function bearerTokenOf(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}

/** Not 401: a client would then discard the token, although it may be valid. */
const KEYS_UNAVAILABLE: Refusal = {
  status: 503,
  code: ErrorCode.Refused,
  message:
    'The token cannot be checked at present, because the authorization server does not respond',
  headers: { 'retry-after': '5' },
};

/** The descriptions do not reveal why a token is invalid. */
const DESCRIPTIONS = {
  expired: 'The access token expired',
  invalid: 'The access token is invalid',
};

/**
 * The form of `WWW-Authenticate` is from RFC 6750 §3, the metadata URL in it from RFC 9728 §5.1.
 * @param fault undefined if no token was sent. The header then has no error code
 */
function unauthorized(
  { metadataUrl, requiredScopes }: ResolvedMcpAuth,
  fault?: keyof typeof DESCRIPTIONS,
): Admission {
  const challenge = [
    ...(fault ? ['error="invalid_token"', `error_description="${DESCRIPTIONS[fault]}"`] : []),
    ...(requiredScopes.length > 0 ? [`scope="${requiredScopes.join(' ')}"`] : []),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return {
    kind: 'refused',
    refusal: {
      status: 401,
      code: ErrorCode.Refused,
      message: 'Unauthorized',
      headers: { 'www-authenticate': ['Bearer', challenge.join(', ')].join(' ').trim() },
    },
  };
}
