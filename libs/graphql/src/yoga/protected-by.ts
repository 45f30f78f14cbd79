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
import type { OperationProtection } from '../operation/served-schema.js';
import type { GraphqlRuntimeDeps } from '../runtime/runtime.js';

/** The request, the response and the outcome, passed through Yoga. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Under a symbol, because Yoga copies other properties into the context of resolvers. */
  readonly [OUTCOME]: { failed: boolean };
}

/** Key of the outcome: whether an operation of the request ended with errors. */
export const OUTCOME = Symbol('fledge:outcome');

/** Returns Yoga options that apply the protection, root value and counts of a mount. */
export function protectedBy(
  deps: GraphqlRuntimeDeps,
  plugins: readonly Plugin[],
): Pick<YogaServerOptions<Exchange, object>, 'maskedErrors' | 'plugins'> {
  const forClients = (error: unknown) => maskedError(deps.protection, error);
  return {
    plugins: [protectionPlugin(deps, forClients), executionPlugin(deps), ...plugins],
    maskedErrors: { maskError: forClients },
  };
}

function maskedError(protection: OperationProtection, error: unknown): GraphQLError {
  const original = asGraphqlError(error);
  const { message, extensions = null } = protection.format(original);
  const { nodes = null, source = null, positions = null, path = null } = original;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
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
        // The rules of plugins. The protection has those of GraphQL and of the mount.
        const more = rules?.filter((rule) => !specifiedRules.includes(rule)) ?? [];
        // Yoga does not mask validation errors, and changes them, so it gets its own copies.
        return [
          ...protection.validate(schema, document, params),
          ...(more.length > 0 ? validate(schema, document, more) : []),
        ].map(forClients);
      }),
  };
}

function executionPlugin({
  counts,
  rootValue,
  subscribe,
}: GraphqlRuntimeDeps): Plugin<object, Exchange> {
  const start = (args: Parameters<typeof kindOf>[0] & { rootValue?: unknown }) => {
    args.rootValue = rootValue;
    const kind = kindOf(args);
    if (kind !== undefined) counts.started(kind);
  };
  return {
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
