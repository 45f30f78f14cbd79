import { type DocumentNode, getOperationAST, GraphQLError } from 'graphql';
import type { OperationArgs, RequestParams } from 'graphql-http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlRuntimeDeps } from './runtime.js';

/** Node's or Express' request, with its parsed body. */
export type ParsedRequest = IncomingMessage & { readonly body?: unknown };

export type Args = OperationArgs<Record<PropertyKey, unknown>>;

/** The arguments of graphql-js for a request, or its errors. */
export type Prepared = readonly GraphQLError[] | Args;

/** Returns the kind of an operation; undefined if the document has none of that name. */
export function kindOf({ document, operationName }: Pick<Args, 'document' | 'operationName'>) {
  return getOperationAST(document, operationName)?.operation;
}

/** Returns the arguments of graphql-js for a request, or the errors that refuse it. */
export function prepare(
  params: RequestParams,
  { req, res }: { readonly req: ParsedRequest; readonly res: ServerResponse },
  { schema, rootValue, protection, contextOf }: GraphqlRuntimeDeps,
): Prepared {
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
    contextValue: contextOf(req, res) as unknown as Record<PropertyKey, unknown>,
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
