import { isObject } from '@fledge-internal/options';
import { eventJson } from '@fledge/core/packages';
import {
  type DocumentNode,
  execute as graphqlExecute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type Source,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql';
import type { Plugin, YogaServerOptions } from 'graphql-yoga';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DocumentRefusal } from '../documents/automatic-documents.js';
import { asGraphqlError } from '../operation/formatted-error.js';
import type {
  DocumentRequest,
  GraphqlExecutor,
  OperationProtection,
  TracedOperation,
} from '../operation/served-schema.js';
import { withFormattedErrors } from '../http/answer.js';
import type { BodyRequest } from '../http/read-request.js';
import type { GraphqlRuntimeDeps } from '../http/runtime.js';

/** The request, the response and the outcome. Yoga passes them through. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /**
   * The key is a symbol, because Yoga copies string-keyed properties into the context of resolvers.
   */
  readonly [OUTCOME]: { failed: boolean };
}

/** Key of the outcome: whether an operation of the request ended with errors. */
export const OUTCOME = Symbol('fledge:outcome');

/** Returns the Yoga options that apply the protection, root value and counts of a mount. */
export function protectedBy(
  deps: GraphqlRuntimeDeps,
  plugins: readonly Plugin[],
): Pick<YogaServerOptions<Exchange, object>, 'maskedErrors' | 'plugins'> {
  const forClients = (error: unknown) => maskedError(deps.protection, error);
  return {
    plugins: [
      protectionPlugin(deps, forClients),
      executionPlugin(deps),
      resultPlugin(deps),
      ...plugins,
      // Last, so plugins with persisted operations find the document first.
      documentsPlugin(deps),
    ],
    maskedErrors: { maskError: forClients },
  };
}

function maskedError(protection: OperationProtection, error: unknown): GraphQLError {
  const original = asGraphqlError(withoutWrapper(error));
  const { message, ...formatted } = protection.format(original);
  const status = original instanceof DocumentRefusal ? original.status : undefined;
  // The response must not be cached, because the document may be known next time.
  const http = status && { spec: false, status, headers: { 'cache-control': 'no-store' } };
  const extensions = { ...formatted.extensions, ...(http && { http }) };
  const { nodes = null, source = null, positions = null, path = null } = original;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/**
 * Returns the value that a stream threw, if the value is not an error. Yoga wraps such a value in an
 * error without a message.
 */
function withoutWrapper(error: unknown): unknown {
  const isWrapper = error instanceof GraphQLError && typeof error.message !== 'string';
  return isWrapper ? error.originalError : error;
}

function documentsPlugin({ documents }: GraphqlRuntimeDeps): Plugin<object, Exchange> {
  return {
    onParams: async ({ params, setParams, request }) => {
      // Other values, such as null in a batch, are rejected by Yoga.
      if (!isObject(params)) return;
      // Yoga reads only its own parameters from a URL.
      const inUrl = new URL(request.url, 'http://localhost').searchParams.get('documentId');
      const documentId = request.method === 'GET' ? inUrl : (params as DocumentRequest).documentId;
      const query = await documents.textOf({ ...params, documentId: documentId ?? undefined });
      if (query === undefined) return;
      // Some clients send an empty name for an operation without a name.
      const { operationName, ...unnamed } = params;
      setParams({ ...(operationName === '' ? unnamed : params), query });
    },
  };
}

function protectionPlugin(
  { protection }: GraphqlRuntimeDeps,
  forClients: (error: unknown) => GraphQLError,
): Plugin<object, Exchange> {
  return {
    onParse: ({ setParseFn }) =>
      setParseFn((source: string | Source) =>
        protection.parse(typeof source === 'string' ? source : source.body),
      ),
    onValidate: ({ setValidationFn, context: { params } }) =>
      setValidationFn((schema: GraphQLSchema, document: DocumentNode, rules?: ValidationRule[]) => {
        // Keeps only the validation rules of plugins. The protection already applies the rules of
        // GraphQL and of the mount.
        const more = rules?.filter((rule) => !specifiedRules.includes(rule)) ?? [];
        // Yoga does not mask validation errors. Yoga changes the errors, so it receives copies.
        return [
          ...protection.validate(schema, document, params),
          ...(more.length > 0 ? validate(schema, document, more) : []),
        ].map(forClients);
      }),
  };
}

/**
 * Sets how Yoga converts a result to JSON, also in event streams. A value that JSON cannot
 * represent becomes an error. In an event stream, such a value would otherwise end the process.
 */
function writeSafely(result: object, deps: GraphqlRuntimeDeps, outcome: Exchange[typeof OUTCOME]) {
  const written = result as { stringify?: (value: unknown) => string };
  written.stringify ??= (value) => {
    try {
      return eventJson(JSON.stringify(value));
    } catch (error) {
      fail(outcome, deps);
      return eventJson(JSON.stringify({ errors: [deps.protection.format(asGraphqlError(error))] }));
    }
  };
}

/**
 * Handles each result of a stream: of a subscription, or of a query with `@defer` or `@stream`. Yoga
 * masks only `errors`, not the errors in `incremental`. A stream with errors counts as one error.
 */
function protectEvents(deps: GraphqlRuntimeDeps, outcome: Exchange[typeof OUTCOME]) {
  return {
    onNext: ({ result, setResult }: Streamed) => {
      const { incremental = [] } = result;
      const hasErrors = [result, ...incremental].some(({ errors }) => errors?.length);
      if (hasErrors && !outcome.failed) fail(outcome, deps);
      const parts = incremental.map((part) => withFormattedErrors(part, deps.protection));
      const sent = { ...result, ...(parts.length > 0 && { incremental: parts }) };
      writeSafely(sent, deps, outcome);
      setResult(sent as ExecutionResult);
    },
  };
}

interface Streamed {
  readonly result: ExecutionResult & { readonly incremental?: readonly ExecutionResult[] };
  readonly setResult: (result: ExecutionResult) => void;
}

function fail(outcome: Exchange[typeof OUTCOME], { counts }: GraphqlRuntimeDeps): void {
  outcome.failed = true;
  counts.failed();
}

function executionPlugin(deps: GraphqlRuntimeDeps): Plugin<object, Exchange> {
  const { counts, rootValue, tracer, execute, subscribe } = deps;
  const start = (args: TracedOperation & { rootValue?: unknown }) => {
    args.rootValue = rootValue;
    const operation = getOperationAST(args.document, args.operationName) ?? undefined;
    if (operation !== undefined) counts.started(operation.operation);
  };
  return {
    onExecute: ({ args, executeFn, setExecuteFn }) => {
      start(args);
      // Without the option `executor`, Yoga executes the operation itself.
      const run = execute === graphqlExecute ? executeFn : executedBy(execute);
      setExecuteFn((given) => tracer.run(args, () => run(given as ExecutionArgs) as object));
      const { [OUTCOME]: outcome } = args.contextValue as object as Exchange;
      return {
        onExecuteDone: ({ result }) =>
          Symbol.asyncIterator in result ? protectEvents(deps, outcome) : undefined,
      };
    },
    onSubscribe: ({ args, subscribeFn, setSubscribeFn }) => {
      start(args);
      const { req, res, [OUTCOME]: outcome } = args.contextValue as object as Exchange;
      // Otherwise, Yoga would send an empty object for a batch.
      if (Array.isArray((req as BodyRequest).body)) {
        const unsupported = new GraphQLError('Subscriptions are not supported');
        return setSubscribeFn(() => ({ errors: [unsupported] }));
      }
      setSubscribeFn((given) =>
        subscribe(req, res, async () =>
          tracer.run(args, () => subscribeFn(given) as Promise<never>),
        ),
      );
      return { onSubscribeResult: () => protectEvents(deps, outcome) };
    },
  };
}

/** Counts the results with errors, and makes results writable. */
function resultPlugin(deps: GraphqlRuntimeDeps): Plugin<object, Exchange> {
  return {
    onResultProcess: ({ result: results, serverContext: { [OUTCOME]: outcome } }) => {
      for (const result of [results].flat()) {
        // `protectEvents` handles the results of a stream.
        if (Symbol.asyncIterator in result) continue;
        writeSafely(result, deps, outcome);
        if (result.errors?.some((error) => !isUnknownDocument(error))) fail(outcome, deps);
      }
    },
  };
}

/** Returns true for an error after which the client sends the text of its document. */
function isUnknownDocument({ extensions }: Partial<GraphQLError>): boolean {
  const { spec, status } = (extensions?.['http'] ?? {}) as { spec?: unknown; status?: unknown };
  return spec === false && status === 200;
}

type Execute = (args: ExecutionArgs) => unknown;

/** Executes an operation with the option `executor`. */
function executedBy(executor: GraphqlExecutor): Execute {
  return (args) => {
    const result = executor(args);
    return result instanceof Promise ? result.then(withStatus) : withStatus(result);
  };
}

/**
 * Adds the status 400 to a result without `data`: the variables were rejected, and no resolver has
 * run. Yoga's own executor adds the same status. Otherwise, Yoga would respond with 200.
 */
function withStatus(result: ExecutionResult): ExecutionResult {
  if (result.data !== undefined || result.errors === undefined) return result;
  return { ...result, extensions: { http: { status: 400 }, ...result.extensions } };
}
