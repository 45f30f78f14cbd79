import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common';
import type { ResolvedMcpAuth } from '../options/option-checks.js';
import type { McpPrincipal } from '../options/auth-options.js';
import { ErrorCode } from '../messages/json-rpc.js';
import type { Refusal } from '../messages/refusals.js';

/** Whether a request is admitted, and the principal that `validate` returned. */
export type Admission =
  | { readonly kind: 'admitted'; readonly principal: McpPrincipal | undefined }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Calls `validate` with the bearer token of a request. If it throws, the request is refused.
 * @param endpoint path of the endpoint
 */
export async function admissionOf(
  request: IncomingMessage,
  auth: ResolvedMcpAuth,
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
    if (!verdict) return unauthorized(auth);
    return { kind: 'admitted', principal: verdict === true ? undefined : verdict };
  } catch (error) {
    new Logger('McpModule').warn(`auth.validate threw, the request is refused: ${String(error)}`);
    return unauthorized(auth);
  }
}

/** The token of `Authorization: Bearer` (RFC 6750 §2.1); undefined if there is none. */
function bearerTokenOf(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}

function unauthorized({ metadataUrl }: ResolvedMcpAuth): Admission {
  const metadata = metadataUrl === undefined ? '' : ` resource_metadata="${metadataUrl}"`;
  return {
    kind: 'refused',
    refusal: {
      status: 401,
      code: ErrorCode.Refused,
      message: 'Unauthorized',
      headers: { 'www-authenticate': `Bearer${metadata}` },
    },
  };
}
