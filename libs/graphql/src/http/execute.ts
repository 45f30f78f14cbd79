import { type ExecutionArgs, OperationTypeNode, subscribe } from 'graphql';
import type { CheckedOperation } from './check.js';
import type { Exchange } from './read.js';
import type { GraphqlRuntimeDeps, OperationResult } from './runtime.js';

/** Executes an operation in the context of its request, in a span, and counts it. */
export function executeOperation(
  { schema, document, kind, request }: CheckedOperation,
  { req, res }: Exchange,
  deps: GraphqlRuntimeDeps,
): OperationResult | Promise<OperationResult> {
  const { counts, execute, tracer, rootValue, contextOf } = deps;
  const args: ExecutionArgs = {
    schema,
    document,
    operationName: request.operationName,
    variableValues: request.variables,
    rootValue,
    contextValue: contextOf(req, res),
  };
  counts.started(kind);
  if (kind !== OperationTypeNode.SUBSCRIPTION) return tracer.run(args, () => execute(args));
  return deps.subscribe(req, res, () =>
    tracer.run<OperationResult>(args, () => subscribe(args) as Promise<OperationResult>),
  );
}
