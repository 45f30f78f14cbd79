import { HttpException } from '@nestjs/common';
import { TenantHttpError } from '../../tenant.errors.js';

/** The clients of Nest's adapters. Other adapters should have similar clients. */
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

/** Returns false if a socket is already closed. A closed socket emits no further close event. */
export function isConnected(client: object): boolean {
  if (isWs(client)) return client.readyState !== CLOSED;
  return !isIo(client) || client.connected;
}

/**
 * Buffers a client's messages until the returned function is called. Needed because the handler is
 * not attached yet. Only ws and socket.io are supported. Messages of other adapters are lost.
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

/** Sends the error as an `exception` event, like Nest's exception filter for gateways. */
export function sendException(client: object, error: unknown): void {
  const exception = {
    status: 'error',
    ...(error instanceof TenantHttpError && { code: error.code }),
    message: isClientError(error) ? error.message : 'Internal server error',
  };
  if (isWs(client)) client.send(JSON.stringify({ event: 'exception', data: exception }));
  else if (isIo(client)) client.emit('exception', exception);
}

/** On ws, the close code is from RFC 6455 §7.4, and the reason is the error's code or message. */
export function closeSocket(client: object, error: unknown): void {
  if (isWs(client)) return client.close(closeCodeOf(error), closeReasonOf(error));
  sendException(client, error);
  if (isIo(client)) client.disconnect(true);
  else (client as { close?: () => void }).close?.();
}

/** Returns true if the error is a deliberate rejection. The client may see such an error. */
export function isClientError(error: unknown): error is HttpException {
  return (
    error instanceof TenantHttpError || (error instanceof HttpException && error.getStatus() < 500)
  );
}

const CLOSED = 3;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
/** Close code from IANA's WebSocket registry. */
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
  // A truncated character becomes U+FFFD, which has three bytes.
  return reason.length <= MAX_REASON
    ? reason.toString()
    : reason.toString('utf8', 0, MAX_REASON - 3);
}

/** Only ws clients have `readyState`. */
function isWs(client: object): client is WsClient {
  return typeof (client as Partial<WsClient>).readyState === 'number';
}

function isIo(client: object): client is IoClient {
  return typeof (client as Partial<IoClient>).disconnect === 'function';
}
