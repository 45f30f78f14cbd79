import {
  type DocumentNode,
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
import { asGraphqlError } from '../operation/formatted-error.js';
import type { GraphqlRuntimeDeps } from '../runtime/runtime.js';

/** What Yoga carries through a request for us. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Under a symbol, because Yoga copies the rest into the context of resolvers. */
  readonly [OUTCOME]: { failed: boolean };
}

/** Under it, whether an operation of the request ended with errors. */
export const OUTCOME = Symbol('fledge:outcome');

/** The protection, root value and numbers of a mount, as options of Yoga. */
export function protectedBy(
  { protection, counts, rootValue, subscribe }: GraphqlRuntimeDeps,
  plugins: readonly Plugin[],
): Pick<YogaServerOptions<Exchange, object>, 'maskedErrors' | 'plugins'> {
  const forClients = (error: unknown): GraphQLError => {
    const original = asGraphqlError(error);
    const { message, extensions } = protection.format(original);
    const { nodes = null, source = null, positions = null, path = null } = original;
    return new GraphQLError(message, {
      nodes,
      source,
      positions,
      path,
      extensions: extensions ?? null,
    });
  };
  const start = (args: Parameters<typeof kindOf>[0] & { rootValue?: unknown }) => {
    args.rootValue = rootValue;
    const kind = kindOf(args);
    if (kind !== undefined) counts.started(kind);
  };

  const ours: Plugin<object, Exchange> = {
    onParse: ({ setParseFn }) =>
      setParseFn((source: string | Source) =>
        protection.parse(typeof source === 'string' ? source : source.body),
      ),
    onValidate: ({ setValidationFn, context: { params } }) =>
      setValidationFn((schema: GraphQLSchema, document: DocumentNode, rules?: ValidationRule[]) => {
        // Of plugins: GraphQL's own and the mount's are in the protection.
        const more = rules?.filter((rule) => !specifiedRules.includes(rule)) ?? [];
        // Yoga does not mask what validation says, and writes into it, so it gets its own errors.
        return [
          ...protection.validate(schema, document, params),
          ...(more.length > 0 ? validate(schema, document, more) : []),
        ].map(forClients);
      }),
    onExecute: ({ args }) => start(args),
    onSubscribe: ({ args, subscribeFn, setSubscribeFn }) => {
      start(args);
      const { req, res } = args.contextValue as object as Exchange;
      setSubscribeFn((given) =>
        subscribe(req, res, async () => subscribeFn(given) as Promise<never>),
      );
    },
    onExecutionResult: ({ result, context }) => {
      if (!result || Array.isArray(result) || !('errors' in result) || !result.errors?.length)
        return;
      context[OUTCOME].failed = true;
      counts.failed();
    },
  };
  return { plugins: [ours, ...plugins], maskedErrors: { maskError: forClients } };
}

function kindOf({
  document,
  operationName,
}: {
  document: Parameters<typeof getOperationAST>[0];
  operationName?: string | null | undefined;
}) {
  return getOperationAST(document, operationName)?.operation;
}
