import type { DocumentNode, GraphQLSchema } from 'graphql';

/** The Fastify instance with which Mercurius is registered. */
export interface MercuriusInstance {
  graphql: Mercurius;
}

/** The members of Mercurius that are used here. Its own types would be needed by applications without it. */
export interface Mercurius {
  /** Executes an operation, also those of HTTP. Rejects if it is refused. */
  (source: unknown, context?: MercuriusContext, ...more: unknown[]): Promise<MercuriusResult>;
  addHook(name: 'preExecution', hook: PreExecution): void;
}

type PreExecution = (
  schema: GraphQLSchema,
  document: DocumentNode,
  context: MercuriusContext,
  variables: Readonly<Record<string, unknown>> | null | undefined,
) => Promise<void>;
/** The context of an operation. Mercurius adds the reply to what the context function returns. */
export interface MercuriusContext {
  readonly reply?: { readonly request: { readonly body?: unknown; readonly query?: unknown } };
  /** Index of the operation in a batch. */
  readonly operationId?: number;
  /** Number of operations in a batch. */
  readonly operationsCount?: number;
}

/** The errors are as `errorFormatter` leaves them. */
export interface MercuriusResult {
  readonly errors?: readonly { readonly message: string }[];
}

/**
 * Runs a function around each operation. Hooks cannot do that: they end before the operation is executed.
 * @param around gets the context of the operation, as hooks do
 */
export function aroundOperations(
  instance: MercuriusInstance,
  around: (
    context: MercuriusContext,
    run: () => Promise<MercuriusResult>,
  ) => Promise<MercuriusResult>,
): void {
  // A proxy has the other members of `graphql`, such as `addHook`.
  instance.graphql = new Proxy(instance.graphql, {
    apply(graphql, self, [source, given, ...more]: Parameters<Mercurius>) {
      const context = given ?? {};
      return around(context, () => Reflect.apply(graphql, self, [source, context, ...more]));
    },
  });
}

/** Returns the name of the operation that a request selects. */
export function operationNameIn({ reply, operationId = 0 }: MercuriusContext): string | undefined {
  const { body, query } = reply?.request ?? {};
  const members: unknown = Array.isArray(body) ? body[operationId] : (body ?? query);
  const { operationName } = (members ?? {}) as { readonly operationName?: unknown };
  return typeof operationName === 'string' ? operationName : undefined;
}
