import { setImmediate } from 'node:timers/promises';
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import {
  AnswerTimeoutError,
  AppNotStartedError,
  CallRefusedError,
  CliError,
  ConnectionLostError,
  ServerUnreachableError,
  UnauthorizedError,
} from '../cli.errors.js';
import type { AppTransport } from './app-transport.js';

/** The server of a connection. Messages show its `label`. */
export type Server =
  | {
      readonly kind: 'app';
      readonly label: string;
      readonly transport: AppTransport;
      readonly stderrShown: 'already' | 'not-yet';
    }
  | {
      readonly kind: 'http';
      readonly label: string;
      readonly transport: StreamableHTTPClientTransport;
    };

interface Circumstances {
  readonly connected: boolean;
  /** The value of `--timeout`. */
  readonly seconds: number;
}

/** Converts an error of the SDK or of the network into an error with a message for users. */
export async function failureOf(
  error: unknown,
  server: Server,
  { connected, seconds }: Circumstances,
): Promise<unknown> {
  if (error instanceof CliError) return error;
  if (server.kind === 'http') return httpFailure(error, server.label, seconds);
  if (isTimeout(error) && connected) return new AnswerTimeoutError(server.label, seconds);
  if (error instanceof ProtocolError && connected) return refusal(error, server.label);
  // The last stderr data may arrive one event loop turn after the process has ended.
  await setImmediate();
  const tail = server.stderrShown === 'already' ? '' : server.transport.stderrTail();
  const [shown, detail] = tail === '' ? [''] : [' Its last output:', tail];
  return connected
    ? new ConnectionLostError(`${server.label} exited before it responded.${shown}`, detail)
    : new AppNotStartedError(`${server.label} could not be started.${shown}`, detail);
}

function httpFailure(error: unknown, url: string, seconds: number): unknown {
  if (isTimeout(error)) return new AnswerTimeoutError(url, seconds);
  const chain = causesOf(error);
  const status = chain.find((cause) => cause instanceof SdkHttpError)?.data.status;
  if (status === 401 || status === 403) {
    return new UnauthorizedError(
      `${url} rejected the request with HTTP ${status}. Pass a valid token: --token TOKEN, or the variable FLEDGE_MCP_TOKEN.`,
    );
  }
  const scope = chain.find((cause) => cause instanceof InsufficientScopeError);
  if (scope !== undefined) {
    const required = scope.requiredScope === undefined ? '' : `: "${scope.requiredScope}"`;
    return new UnauthorizedError(
      `${url} rejected the request, because the token lacks a scope${required}. Pass a token with this scope: --token TOKEN.`,
    );
  }
  const refused = chain.find((cause) => cause instanceof ProtocolError);
  if (refused !== undefined) return refusal(refused, url);
  // If the response is not MCP, the official client throws a ZodError. The message of a ZodError is
  // a long list.
  if (chain.some(({ name }) => /^\$?ZodError$/.test(name))) {
    return new ServerUnreachableError(
      `${url} responded, but is not an MCP server. Check the path: Fledge serves MCP at /_mcp/messages, unless basePath is set.`,
    );
  }
  const reason = chain
    .filter((cause) => causesOf(cause).length === 1)
    .map(({ message }) => message);
  if (status !== undefined) {
    const cure =
      status === 404 || status === 405
        ? 'Check the path: Fledge serves MCP at /_mcp/messages, unless basePath is set.'
        : `The response: ${reason.join('; ')}`;
    return new ServerUnreachableError(`${url} responded with HTTP ${status}. ${cure}`);
  }
  return new ServerUnreachableError(
    `${url} cannot be reached: ${[...new Set(reason)].join('; ')}. Check that the server is running and that the URL is correct.`,
  );
}

function refusal(error: ProtocolError, label: string): CliError {
  return new CallRefusedError(`${label} responded with error ${error.code}: ${error.message}`);
}

function isTimeout(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout,
  );
}

/**
 * Returns an error and all its causes. Includes the errors inside an AggregateError. Node.js throws
 * an AggregateError if both IPv4 and IPv6 fail.
 */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause];
  return [error, ...inner.flatMap(causesOf)];
}
