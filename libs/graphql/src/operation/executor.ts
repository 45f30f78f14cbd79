import type { ExecutionArgs, ExecutionResult } from 'graphql';

/**
 * Executes an operation, with the arguments and the result of graphql-js' `execute`. The operation is parsed
 * and validated.
 */
export interface GraphqlExecutor {
  (args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult>;
  /** Called at boot, before the first operation, to load optional packages. @default nothing to load */
  readonly load?: () => Promise<void>;
}
