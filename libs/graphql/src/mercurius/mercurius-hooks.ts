import type { DocumentNode, GraphQLSchema } from 'graphql';

/** The members of Mercurius that are used here. Its own types would be needed by applications without it. */
export interface Mercurius {
  addHook(name: 'preExecution', hook: PreExecution): void;
  addHook(name: 'onResolution', hook: OnResolution): void;
}

type PreExecution = (
  schema: GraphQLSchema,
  document: DocumentNode,
  context: MercuriusContext,
  variables: Readonly<Record<string, unknown>> | null | undefined,
) => Promise<void>;
type OnResolution = (
  execution: { readonly errors?: readonly unknown[] },
  context: MercuriusContext,
) => Promise<void>;

/** The context of an operation. Mercurius adds the reply to what the context function returns. */
export interface MercuriusContext {
  readonly reply?: { readonly request: { readonly body?: unknown; readonly query?: unknown } };
  /** Index of the operation in a batch. */
  readonly operationId?: number;
}

/** Returns the name of the operation that a request selects. */
export function operationNameIn({ reply, operationId = 0 }: MercuriusContext): string | undefined {
  const { body, query } = reply?.request ?? {};
  const members: unknown = Array.isArray(body) ? body[operationId] : (body ?? query);
  const { operationName } = (members ?? {}) as { readonly operationName?: unknown };
  return typeof operationName === 'string' ? operationName : undefined;
}
