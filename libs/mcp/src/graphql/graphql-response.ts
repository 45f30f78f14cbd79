import { isObject } from '@fledge-internal/options';
import { parsedJson } from '../serve/protocol/json-rpc.js';
import type { McpSourceAnswer, McpSourceResponse } from '../tool-source.js';

/**
 * Reads a GraphQL response. A response with errors and no data is a failure. Partial data is a
 * success: the result contains both data and errors. Stack traces are removed.
 */
export function readGraphqlResponse(response: McpSourceResponse): McpSourceAnswer {
  const { status, body, complete } = response;
  const failed = status >= 300;
  if (!body.includes('"errors"')) return { body, failed };
  const result = complete ? parsedJson(body) : undefined;
  if (!isObject(result))
    return STACK.test(body) ? { body: LEFT_OUT, failed: true } : { body, failed };
  const errors = result['errors'];
  if (!Array.isArray(errors) || errors.length === 0) return { body, failed };
  const told = errors.map(withoutStack);
  return {
    body: JSON.stringify({ ...result, errors: told }),
    failed: failed || !hasData(result['data']),
    code: codeOf(told),
  };
}

/**
 * Fields of `extensions` that contain stack traces: Apollo uses `stacktrace`, and `exception` in
 * version 3.
 */
const STACKS = ['stacktrace', 'exception', 'stack'];
const STACK = /"(stacktrace|exception|stack)"/;
const LEFT_OUT = '(The response is omitted, because it was cut and may contain a stack trace.)';

/** Returns false for null, and for an object whose fields are all null. */
function hasData(data: unknown): boolean {
  return isObject(data) && Object.values(data).some((value) => value !== null);
}

function withoutStack(error: unknown): unknown {
  if (!isObject(error) || !isObject(error['extensions'])) return error;
  const kept = Object.entries(error['extensions']).filter(([name]) => !STACKS.includes(name));
  return { ...error, extensions: Object.fromEntries(kept) };
}

function codeOf(errors: readonly unknown[]): string | undefined {
  for (const error of errors) {
    const code = isObject(error) && isObject(error['extensions']) && error['extensions']['code'];
    if (typeof code === 'string') return code;
  }
  return undefined;
}
