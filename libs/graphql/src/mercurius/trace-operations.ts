import { inSpan, openTelemetry, type RunningSpan } from '@fledge/core/packages';
import { getOperationAST, GraphQLError } from 'graphql';
import { operationAttributesOf, SCOPE } from '../operation/operation-spans.js';
import { aroundOperations, type MercuriusInstance, operationNameIn } from './mercurius-hooks.js';

/**
 * Gives each operation of Mercurius over HTTP a span, if the application registered an OpenTelemetry SDK. It begins
 * before Mercurius parses the document, so that resolvers run in it, and gets its name once the operation is known.
 */
export function traceOperations(instance: MercuriusInstance, withDocument: boolean): void {
  const spans = new WeakMap<object, RunningSpan>();
  instance.graphql.addHook('preExecution', (_schema, document, context) => {
    const span = spans.get(context);
    const operation = span && getOperationAST(document, operationNameIn(context));
    if (span && operation) {
      span.rename(operation.operation);
      span.set(operationAttributesOf(operation, withDocument ? document : undefined));
    }
    return Promise.resolve();
  });
  aroundOperations(instance, async (context, run) => {
    if (openTelemetry() === undefined) return run();
    // The conventions' name for an operation of unknown type.
    const start = { scope: SCOPE, kind: 'server', name: 'GraphQL Operation' } as const;
    const outcome = await inSpan(start, async (span) => {
      if (span !== undefined) spans.set(context, span);
      try {
        const result = await run();
        const [error] = result.errors ?? [];
        if (error !== undefined) span?.fail(new GraphQLError(error.message));
        return { result };
      } catch (refusal) {
        span?.fail(causeOf(refusal));
        return { refusal };
      }
    });
    if (outcome.result === undefined) throw outcome.refusal;
    return outcome.result;
  });
}

/** Returns the first error of a refused document. Mercurius reports them inside one error. */
function causeOf(refusal: unknown): unknown {
  const { errors } = (refusal ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) && errors.length > 0 ? errors[0] : refusal;
}
