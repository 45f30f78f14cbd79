import type { NestGraphqlModule } from '../nest-graphql-modules.js';

/**
 * Changes the options of a `GraphQLModule` before its driver merges them with Nest's defaults. Call it before modules
 * are initialized. Of several changes, the last one added runs first.
 */
export function changeOptions<Options>(
  { module }: NestGraphqlModule,
  change: (options: Options) => Options,
): void {
  const driver = module.graphQlAdapter as unknown as Driver<Options>;
  const merge = driver.mergeDefaultOptions.bind(driver);
  driver.mergeDefaultOptions = (options, ...more) => merge(change(options), ...more);
}

/** The member of a `@nestjs/graphql` driver that is used here. */
interface Driver<Options> {
  mergeDefaultOptions(options: Options, ...more: unknown[]): Promise<unknown>;
}
