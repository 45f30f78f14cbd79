import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common';
import type { McpAuthOptions } from '../mcp.options.js';
import { ErrorCode } from '../protocol/json-rpc.js';
import type { Refusal } from './http.answers.js';

/** Why a request is not let in; undefined where it is. A `validate` that throws refuses. */
export async function authRefusal(
  request: IncomingMessage,
  auth: McpAuthOptions,
): Promise<Refusal | undefined> {
  const token = bearerTokenOf(request.headers.authorization);
  if (token === undefined) return unauthorized(auth);
  try {
    const admitted = await auth.validate(token, {
      headers: request.headers,
      remoteAddress: request.socket.remoteAddress,
    });
    return admitted ? undefined : unauthorized(auth);
  } catch (error) {
    new Logger('McpModule').warn(`auth.validate threw, the request is refused: ${String(error)}`);
    return unauthorized(auth);
  }
}

/** The token of `Authorization: Bearer` (RFC 6750 §2.1); undefined where there is none. */
function bearerTokenOf(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}

function unauthorized({ resourceMetadata }: McpAuthOptions): Refusal {
  const metadata = resourceMetadata === undefined ? '' : ` resource_metadata="${resourceMetadata}"`;
  return {
    status: 401,
    code: ErrorCode.Refused,
    message: 'Unauthorized',
    headers: { 'www-authenticate': `Bearer${metadata}` },
  };
}
