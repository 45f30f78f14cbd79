import { HttpException } from '@nestjs/common';
import { TenantHttpError } from '../../tenant.errors.js';

/** The clients of Nest's adapters. Clients of other adapters should resemble one of them. */
interface WsClient {
  readonly readyState: number;
  send(data: string): void;
  close(code: number, reason: string): void;
  pause(): void;
  resume(): void;
}

interface IoClient {
  readonly connected: boolean;
  emit(event: string, payload: unknown): void;
  disconnect(close: true): void;
  use(middleware: (event: unknown, next: () => void) => void): void;
}

/** False once a socket is closed, when no further close event will come. */
export function isConnected(client: object): boolean {
  if (isWs(client)) return client.readyState !== CLOSED;
  return !isIo(client) || client.connected;
}

/**
 * Holds a client's messages until the returned function is called, because no handler is attached yet.
 * Clients of adapters other than ws and socket.io lose these messages.
 */
export function holdMessages(client: object): () => void {
  if (isWs(client)) {
    client.pause();
    return () => client.resume();
  }
  const waiting: (() => void)[] = [];
  let isHeld = true;
  if (isIo(client)) client.use((_, next) => (isHeld ? void waiting.push(next) : next()));
  return () => {
    isHeld = false;
    for (const next of waiting.splice(0)) next();
  };
}

/** Sends the error as an `exception` event, as Nest's exception filter of gateways does. */
export function sendException(client: object, error: unknown): void {
  const exception = {
    status: 'error',
    ...(error instanceof TenantHttpError && { code: error.code }),
    message: isClientError(error) ? error.message : 'Internal server error',
  };
  if (isWs(client)) client.send(JSON.stringify({ event: 'exception', data: exception }));
  else if (isIo(client)) client.emit('exception', exception);
}

/** Closes a socket. On ws, with a close code of RFC 6455 §7.4 and the error's code as reason. */
export function closeSocket(client: object, error: unknown): void {
  if (isWs(client)) return client.close(closeCodeOf(error), closeReasonOf(error));
  sendException(client, error);
  if (isIo(client)) client.disconnect(true);
  else (client as { close?: () => void }).close?.();
}

/** True for a deliberate refusal, which the client may see; false for an unexpected error. */
export function isClientError(error: unknown): error is HttpException {
  return (
    error instanceof TenantHttpError || (error instanceof HttpException && error.getStatus() < 500)
  );
}

const CLOSED = 3;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
/** From IANA's registry of WebSocket close codes. */
const TRY_AGAIN_LATER = 1013;
/** Maximum length of a close reason, in bytes. */
const MAX_REASON = 123;

function closeCodeOf(error: unknown): number {
  if (error instanceof TenantHttpError && error.isTemporary) return TRY_AGAIN_LATER;
  return isClientError(error) ? POLICY_VIOLATION : INTERNAL_ERROR;
}

function closeReasonOf(error: unknown): string {
  if (error instanceof TenantHttpError) return error.code;
  const reason = Buffer.from(isClientError(error) ? error.message : 'Internal server error');
  // A character that is cut is decoded to U+FFFD, which needs three bytes.
  return reason.length <= MAX_REASON
    ? reason.toString()
    : reason.toString('utf8', 0, MAX_REASON - 3);
}

/** Only ws clients have `readyState`. Clients of both libraries emit events. */
function isWs(client: object): client is WsClient {
  return typeof (client as Partial<WsClient>).readyState === 'number';
}

function isIo(client: object): client is IoClient {
  return typeof (client as Partial<IoClient>).disconnect === 'function';
}
