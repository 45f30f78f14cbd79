import { type DocumentNode, execute, getOperationAST, GraphQLError } from 'graphql';
import {
  createHandler,
  type HandlerOptions,
  type OperationArgs,
  type Request,
  type RequestParams,
} from 'graphql-http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlRuntime, GraphqlRuntimeDeps } from './runtime.js';

/** Node's or Express' request, with its parsed body. */
type ParsedRequest = IncomingMessage & { readonly body?: unknown };
type HttpRequest = Request<ParsedRequest, Outcome>;
type Options = HandlerOptions<ParsedRequest, Outcome, Record<PropertyKey, unknown>>;

interface Outcome {
  readonly res: ServerResponse;
  failed: boolean;
}

/**
 * The default runtime: graphql-http, which implements the GraphQL over HTTP specification. Accepts JSON only:
 * GET for queries, POST for queries and mutations, one operation per request.
 */
export function graphqlHttp(): GraphqlRuntime {
  return Object.assign(handlerOf, { counts: true, streams: false, library: 'graphql-http' });
}

function handlerOf(deps: GraphqlRuntimeDeps) {
  const handle = createHandler(optionsOf(deps));
  return async (req: ParsedRequest, res: ServerResponse): Promise<void> => {
    const outcome: Outcome = { res, failed: false };
    const [body, init] = await handle({
      method: req.method ?? 'GET',
      url: req.url ?? '/',
      headers: req.headers,
      body: req.body as HttpRequest['body'],
      raw: req,
      context: outcome,
    });
    if (outcome.failed || init.status >= 400) deps.counts.failed();
    res.statusCode = init.status;
    res.statusMessage = init.statusText;
    for (const [name, value] of Object.entries(init.headers ?? {})) res.setHeader(name, value);
    res.end(body ?? undefined);
  };
}

function optionsOf(deps: GraphqlRuntimeDeps): Options {
  const { protection, counts, tracer } = deps;
  return {
    onSubscribe: (req, params) => argumentsOf(req, params, deps),
    execute: (args) => {
      const operation = getOperationAST(args.document, args.operationName) ?? undefined;
      if (operation !== undefined) counts.started(operation.operation);
      return tracer.run(args, () => execute(args));
    },
    onOperation: (req, _args, { errors }) => {
      req.context.failed = errors !== undefined && errors.length > 0;
    },
    // The result is written as JSON, so the type's `Error` is not needed. Errors of other classes are
    // graphql-http's own texts about a request.
    formatError: (error) =>
      (error instanceof GraphQLError || error instanceof RangeError
        ? protection.format(error)
        : error) as Error,
  };
}

/** The arguments of graphql-js for a request, or its errors. */
function argumentsOf(
  { raw, context }: HttpRequest,
  params: RequestParams,
  { schema, rootValue, protection, contextOf }: GraphqlRuntimeDeps,
): readonly GraphQLError[] | OperationArgs<Record<PropertyKey, unknown>> {
  // If this function or graphql-http refuses the request, onOperation is not called.
  context.failed = true;
  const document = documentOf(params.query, protection);
  if (document instanceof GraphQLError) return [document];
  const errors = protection.validate(schema(), document, params);
  if (errors.length > 0) return errors;
  return {
    schema: schema(),
    document,
    operationName: params.operationName,
    variableValues: params.variables,
    rootValue,
    // graphql-http wants an index signature, which a class does not have.
    contextValue: contextOf(raw, context.res) as unknown as Record<PropertyKey, unknown>,
  };
}

function documentOf(
  source: string,
  protection: GraphqlRuntimeDeps['protection'],
): DocumentNode | GraphQLError {
  try {
    return protection.parse(source);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
