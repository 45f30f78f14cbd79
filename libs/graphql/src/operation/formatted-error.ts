import { HttpException, HttpStatus } from '@nestjs/common';
import { type ASTNode, GraphQLError, type GraphQLFormattedError, isValueNode, Kind } from 'graphql';
import { logError } from './failure-log.js';
import type { FormatError } from './protection.options.js';
import { isResultFault } from './returned-value-errors.js';

const MASKED = 'Internal server error';

/**
 * Apollo's error codes (`ApolloServerErrorCode`). For other statuses, the code is the name in
 * Nest's `HttpStatus`.
 */
const CODES: Readonly<Record<number, string>> = {
  [HttpStatus.UNAUTHORIZED]: 'UNAUTHENTICATED',
  [HttpStatus.UNPROCESSABLE_ENTITY]: 'BAD_USER_INPUT',
};

/**
 * Formats an error for clients. A GraphQLError, an HttpException and an exposed error keep their
 * messages. The status of the latter two determines `extensions.code`. Other errors are logged, and masked in
 * production (NODE_ENV). Errors of graphql-js about a returned value are also masked.
 */
export function formattedError(error: GraphQLError): GraphQLFormattedError {
  const thrown = thrownBy(error);
  if (thrown === undefined) return withoutStack(error.toJSON());
  if (isOverflow(error)) return tooDeep(error);
  const { message, locations, path } = error;
  const location = { ...(locations && { locations }), ...(path && { path }) };
  // If such an error has no path, a scalar rejected a value before any resolver ran.
  if (path === undefined && error.nodes?.every(isInput)) {
    return { message, ...location, extensions: { code: 'BAD_USER_INPUT', ...error.extensions } };
  }
  if (thrown instanceof HttpException) {
    return { message: thrown.message, ...location, extensions: extensionsOf(thrown) };
  }
  if (isExposed(thrown)) {
    const { status, code } = thrown;
    return {
      message: thrown.message,
      ...location,
      extensions: { code: codeOf(code, status), status },
    };
  }
  logError(thrown);
  return {
    message: process.env['NODE_ENV'] === 'production' ? MASKED : message,
    ...location,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  };
}

/**
 * Returns true if deeply nested documents or variables caused a stack overflow in graphql-js.
 * Version 16 reports the RangeError itself. Version 17 wraps it. If a resolver overflowed the stack,
 * the error has a path.
 */
export function isOverflow(error: Error): boolean {
  const thrown = error instanceof GraphQLError ? thrownBy(error) : error;
  const hasPath = error instanceof GraphQLError && error.path !== undefined;
  return !hasPath && thrown instanceof RangeError && /call stack/i.test(thrown.message);
}

function tooDeep({ extensions }: GraphQLError): GraphQLFormattedError {
  // Apollo sets this code if the parser overflowed the stack.
  const isOfParser = extensions['code'] === 'GRAPHQL_PARSE_FAILED';
  return {
    message: 'The document or the variables are nested too deeply',
    extensions: { code: isOfParser ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT' },
  };
}

/** Returns the error for an operation that a document does not have. */
export function unknownOperation(name: string | null | undefined): GraphQLError {
  const message = name
    ? `The document has no operation named "${name}"`
    : 'The document has several operations or none. Send the name of one as operationName';
  return codedError(message, 'OPERATION_RESOLUTION_FAILURE');
}

/** Creates an error with a code for clients. */
export function codedError(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** Wraps an error that was thrown outside an operation, such as in a context decorator. */
export function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

/**
 * Calls the application's `formatError`. If it fails, logs the failure and returns a masked error.
 */
export function changedByApplication(
  formatError: FormatError,
  formatted: GraphQLFormattedError,
  error: GraphQLError,
): GraphQLFormattedError {
  // The extensions are copied. `toJSON()` returns the error's own object, which other code may use.
  const extensions = formatted.extensions && { ...formatted.extensions };
  try {
    const changed = formatError({ ...formatted, ...(extensions && { extensions }) }, error);
    // JavaScript applications may return other values, such as the promise of an async function.
    if (typeof (changed as Partial<GraphQLFormattedError> | undefined)?.message === 'string') {
      return changed;
    }
    throw new TypeError('formatError must return an object with a message, not a promise.');
  } catch (failure) {
    logError(failure);
    return masked();
  }
}

/**
 * Returns a masked error if JSON cannot represent an error, such as `extensions` with a BigInt.
 * Otherwise, the data and the other errors of the response would be lost.
 */
export function writable(formatted: GraphQLFormattedError): GraphQLFormattedError {
  try {
    JSON.stringify(formatted);
    return formatted;
  } catch (failure) {
    logError(failure);
    return masked(formatted);
  }
}

function masked({ locations, path }: Partial<GraphQLFormattedError> = {}): GraphQLFormattedError {
  return {
    message: MASKED,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  };
}

/**
 * Removes internal data of Apollo Server and Yoga from `extensions`: stacks, HTTP status and
 * headers.
 */
export function withoutInternals(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { http, ...extensions } = formatted.extensions ?? {};
  return withoutStack(http === undefined ? formatted : { ...formatted, extensions });
}

/** Removes a stack that another GraphQL server added to an error. */
export function withoutStack(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { stacktrace, exception, ...extensions } = formatted.extensions ?? {};
  // Apollo Server 2 and 3 store the stack here.
  const inside = (exception as { stacktrace?: unknown } | null | undefined)?.stacktrace;
  if (stacktrace === undefined && inside === undefined) return formatted;
  return { ...formatted, extensions };
}

/**
 * Removes the schema names that graphql-js suggests for a misspelled name. Does not change errors
 * with a path, because resolvers wrote them.
 */
export function withoutSuggestion(formatted: GraphQLFormattedError): GraphQLFormattedError {
  if (formatted.path !== undefined) return formatted;
  return { ...formatted, message: formatted.message.replace(SUGGESTION, '') };
}

/** graphql-js 17.1 adds the client's value at the end: ` Found: { helo: 1 }.` */
const SUGGESTION = / Did you mean [^?]*"[^?]*\?(?=$| Found: )/;

/**
 * Returns the error that a resolver threw, or the error about a value that a resolver returned.
 * Returns undefined if a resolver threw a GraphQLError, because such errors are for clients.
 */
export function thrownBy(error: GraphQLError): Error | undefined {
  // graphql-js 17 throws a GraphQLError for this bug in a resolver. The error message contains the
  // returned value.
  if (error.message.startsWith(NO_STREAM) || isResultFault(error)) return error;
  // graphql-js wraps the GraphQLError of a resolver to add the path. The cause of that GraphQLError
  // is only for the application. Without a path, graphql-js wraps the error of a scalar twice.
  if (error.path !== undefined && error.originalError instanceof GraphQLError) return undefined;
  let thrown: Error | undefined = error;
  while (thrown instanceof GraphQLError) thrown = thrown.originalError;
  return thrown;
}

const NO_STREAM = 'Subscription field must return Async Iterable';

/** Returns true for a value in a document, and for a variable definition. */
function isInput(node: ASTNode): boolean {
  return node.kind === Kind.VARIABLE_DEFINITION || isValueNode(node);
}

function extensionsOf(exception: HttpException): Record<string, unknown> {
  const status = exception.getStatus();
  const body = exception.getResponse();
  const ofBody = typeof body === 'object' ? (body as { code?: unknown }).code : undefined;
  const { cause } = exception;
  const own = ofBody ?? (cause instanceof Error && isExposed(cause) ? cause.code : undefined);
  const originalError = typeof body === 'object' && { originalError: body };
  return { code: codeOf(own, status), status, ...originalError };
}

function codeOf(own: unknown, status: number): string {
  if (typeof own === 'string') return own;
  return CODES[status] ?? HttpStatus[status] ?? 'INTERNAL_SERVER_ERROR';
}

interface ExposedError extends Error {
  readonly status: number;
  readonly code?: unknown;
}

/**
 * Returns true for an error that is meant for clients but is not an HttpException, such as
 * InvalidQueryError of `@fledge/query`. Express and Nest's default filter read the same properties.
 */
function isExposed(error: Error): error is ExposedError {
  const { expose, status } = error as { expose?: unknown; status?: unknown };
  return expose === true && typeof status === 'number' && status >= 400 && status < 500;
}
