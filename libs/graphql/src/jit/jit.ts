import { count, type OptionTable, readOptions } from '@fledge-internal/options';
import type { GraphqlExecutor } from '../operation/executor.js';
import { placeOf } from '../option-tables.js';
import { loadPeer } from '../runtime/load-peer.js';
import { JitExecutor, type JitOptions } from './jit-executor.js';

const OPTIONS = {
  after: count.default(10),
  maxFields: count.default(500),
  maxOperations: count.default(200),
} satisfies OptionTable<JitOptions>;

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
  const executor = new JitExecutor(readOptions(options, OPTIONS, placeOf('jit')));
  return Object.assign(executor.execute.bind(executor), {
    load: async () =>
      executor.use(await loadPeer('graphql-jit', 'jit()', () => import('graphql-jit'))),
  });
}
