import { HttpException } from '@nestjs/common';
import { TenantHttpError } from '../tenant.errors.js';

/** The clients Nest's own adapters make. What else an adapter makes should look like one of them. */
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

/** Whether a socket is there still, or will at least tell its adapter that it is gone. */
export function isConnected(client: object): boolean {
  if (isWs(client)) return client.readyState !== CLOSED;
  return !isIo(client) || client.connected;
}

/**
 * Keeps what a client sends until the result is called, because nobody listens yet. Clients that
 * are neither ws' nor socket.io's lose it.
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

/** Tells a client, as Nest's own filter of gateways does, why a message of it was not handled. */
export function sendException(client: object, error: unknown): void {
  const exception = {
    status: 'error',
    ...(error instanceof TenantHttpError && { code: error.code }),
    message: isClientError(error) ? error.message : 'Internal server error',
  };
  if (isWs(client)) client.send(JSON.stringify({ event: 'exception', data: exception }));
  else if (isIo(client)) client.emit('exception', exception);
}

/** Closes a socket: on ws with a code of RFC 6455 §7.4 and the error's as its reason. */
export function closeSocket(client: object, error: unknown): void {
  if (isWs(client)) return client.close(closeCodeOf(error), closeReasonOf(error));
  sendException(client, error);
  if (isIo(client)) client.disconnect(true);
  else (client as { close?: () => void }).close?.();
}

/** Whether an error is a refusal somebody chose, not an accident. */
export function isClientError(error: unknown): error is HttpException {
  return (
    error instanceof TenantHttpError || (error instanceof HttpException && error.getStatus() < 500)
  );
}

/** Whether it may be otherwise soon. */
export function isTemporary(error: unknown): boolean {
  return error instanceof TenantHttpError && error.retryAfterSeconds !== undefined;
}

const CLOSED = 3;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
/** Of IANA's registry of close codes. */
const TRY_AGAIN_LATER = 1013;
/** What a close frame has room for, in bytes. */
const MAX_REASON = 123;

function closeCodeOf(error: unknown): number {
  if (isTemporary(error)) return TRY_AGAIN_LATER;
  return isClientError(error) ? POLICY_VIOLATION : INTERNAL_ERROR;
}

function closeReasonOf(error: unknown): string {
  if (error instanceof TenantHttpError) return error.code;
  const reason = Buffer.from(isClientError(error) ? error.message : 'Internal server error');
  // Decoding replaces a character that is cut by one of up to three bytes.
  return reason.length <= MAX_REASON
    ? reason.toString()
    : reason.toString('utf8', 0, MAX_REASON - 3);
}

/** A client of ws emits events, too; only it has the state of a WebSocket. */
function isWs(client: object): client is WsClient {
  return typeof (client as Partial<WsClient>).readyState === 'number';
}

function isIo(client: object): client is IoClient {
  return typeof (client as Partial<IoClient>).disconnect === 'function';
}
