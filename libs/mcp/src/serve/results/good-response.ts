import type { CallOutcome } from '../call/call.js';
import type { CallResponse } from '../call/recording.js';
import { ErrorCode, RequestFault } from '../protocol/json-rpc.js';
import type { RunOutcome } from '../call/dispatcher.js';
import { routeErrorOf, bodyText } from './response-body.js';

/** Also for a hidden resource. Clients of MCP 2026-07-28 receive code -32602 instead. */
export function resourceNotFound(uri: string): RequestFault {
  return new RequestFault(ErrorCode.ResourceNotFound, 'Resource not found', { uri });
}

/**
 * @param what operation name for messages, such as `prompt "review"`
 * @throws RequestFault if the run failed, or if the status is 300 or above
 */
export function goodResponseOf(what: string, outcome: RunOutcome): CallResponse {
  if (outcome.kind === 'refused') {
    throw new RequestFault(
      ErrorCode.InvalidParams,
      `Invalid arguments for ${what}: ${outcome.fault}`,
    );
  }
  if (outcome.kind !== 'response') throw unanswered(what, outcome);
  const { response } = outcome;
  if (response.status < 300) return response;
  const text = bodyText(response);
  throw new RequestFault(codeOf(response.status), `${what}: ${response.status} ${text}`, {
    error: routeErrorOf(response, text),
  });
}

function unanswered(
  what: string,
  outcome: Exclude<CallOutcome, { kind: 'response' }>,
): RequestFault {
  switch (outcome.kind) {
    case 'timeout':
      return new RequestFault(
        ErrorCode.InternalError,
        `${what} timed out after ${outcome.afterMs} ms`,
      );
    case 'aborted':
      return new RequestFault(ErrorCode.InternalError, `${what} was cancelled`);
    case 'closed':
      return new RequestFault(ErrorCode.InternalError, `${what} ended without a response`);
    case 'misrouted':
      return new RequestFault(
        ErrorCode.InvalidParams,
        `${what} did not run, because the URL with these arguments matches another route`,
      );
  }
}

function codeOf(status: number): number {
  if (status === 400 || status === 422) return ErrorCode.InvalidParams;
  return status < 500 ? ErrorCode.Refused : ErrorCode.InternalError;
}
