import { TenantHttpError } from '../../tenant.errors.js';

/** The response to a rejected message, in the format of Nest's own exceptions. */
export interface RefusedMessage {
  readonly status: 'error';
  readonly message: string;
  /** Missing if the error is unexpected. */
  readonly code?: string;
}

/** @param error the error that the client may see */
export function refusedMessage(error: unknown): RefusedMessage {
  if (!(error instanceof TenantHttpError)) return { status: 'error', message: UNEXPECTED };
  return { status: 'error', code: error.code, message: error.message };
}

/** A gRPC status. grpc-js accepts such an object as an error. */
export interface RefusedCall {
  readonly code: number;
  readonly details: string;
}

/** @param error the error that the client may see */
export function refusedCall(error: unknown): RefusedCall {
  if (!(error instanceof TenantHttpError)) return { code: INTERNAL, details: UNEXPECTED };
  const code = GRPC_STATUS[error.getStatus()] ?? INTERNAL;
  return { code, details: `${error.code}: ${error.message}` };
}

const UNEXPECTED = 'Internal server error';
const INTERNAL = 13;
/** The gRPC codes INVALID_ARGUMENT, PERMISSION_DENIED, NOT_FOUND and UNAVAILABLE. */
const GRPC_STATUS: Readonly<Record<number, number>> = { 400: 3, 403: 7, 404: 5, 503: 14 };
