import type { ExecutionArgs, ExecutionResult } from 'graphql';

/**
 * Executes an operation, with the arguments and the result of graphql-js' `execute`. The operation is parsed
 * and validated.
 */
export type GraphqlExecutor = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;
