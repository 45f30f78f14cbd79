import { inSpan } from '@fledge/core/packages';
import type { OperationDefinitionNode } from 'graphql';

/** The members of a result that the span needs. */
interface Executed {
  readonly errors?: readonly unknown[] | undefined;
}

/**
 * Executes an operation in a span, if the application registered an OpenTelemetry SDK.
 * @param operation undefined: the document has no operation of that name
 */
export function executeInSpan<T>(
  operation: OperationDefinitionNode | undefined,
  execute: () => T | Promise<T>,
): T | Promise<T> {
  if (operation === undefined) return execute();
  const { operation: type, name } = operation;
  // The name of the operation is an attribute only: clients choose it, and it would make many span names.
  const attributes = {
    'graphql.operation.type': type,
    ...(name && { 'graphql.operation.name': name.value }),
  };
  return inSpan({ scope: '@fledge/graphql', name: type, attributes }, (span) => {
    const result = execute();
    if (span === undefined) return result;
    const seen = (value: T) => {
      const [error] = (value as Executed).errors ?? [];
      if (error !== undefined) span.fail(error);
      return value;
    };
    return result instanceof Promise ? result.then(seen) : seen(result);
  });
}
