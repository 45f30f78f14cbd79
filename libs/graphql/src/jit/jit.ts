import { GraphqlOptionError } from '../graphql.errors.js';
import type { GraphqlExecutor } from '../operation/executor.js';
import { loadPeer } from '../runtime/load-peer.js';
import { JitExecutor, type JitOptions } from './jit-executor.js';

/**
 * Executes operations with code that graphql-jit compiles for each of them. What cannot be compiled runs with
 * graphql-js' `execute`.
 *
 * @example
 * ```ts
 * GraphqlMountModule.forRoot({ typeDefs, rootValue, executor: jit() })
 * ```
 * @throws GraphqlOptionError for an invalid option
 */
export function jit(options: JitOptions = {}): GraphqlExecutor {
  const executor = new JitExecutor({
    after: atLeastOne('after', options.after ?? 10),
    maxFields: atLeastOne('maxFields', options.maxFields ?? 500),
    maxOperations: atLeastOne('maxOperations', options.maxOperations ?? 200),
  });
  return Object.assign(executor.execute.bind(executor), {
    load: async () =>
      executor.use(await loadPeer('graphql-jit', 'jit()', () => import('graphql-jit'))),
  });
}

function atLeastOne(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new GraphqlOptionError(
    `jit({ ${option} }) is ${JSON.stringify(value)}, but must be a whole number of at least 1.`,
  );
}
