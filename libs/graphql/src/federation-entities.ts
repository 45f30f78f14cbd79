import type { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { GraphqlContext } from './context/graphql-context.js';
import { GraphqlOptionError } from './graphql.errors.js';
import { driverOf, type NestGraphqlModule } from './nest-graphql-modules.js';

/**
 * Runs the application's global guards, interceptors and filters for `_entities` of a federated
 * subgraph. Nest runs them for all other root fields, but not for `_entities`. Without this
 * function, reference resolvers would run without context decorators. They would even run for a
 * rejected tenant, or for a user of another tenant. If `fieldResolverEnhancers` contains guards and
 * interceptors, Nest runs guards and interceptors for each reference. Call this before modules are
 * initialized.
 */
export function guardEntities(
  { module }: NestGraphqlModule,
  creator: ExternalContextCreator,
  config: ApplicationConfig,
): void {
  const driver = driverOf<EntityOptions>(module);
  const generate = driver.generateSchema.bind(driver);
  driver.generateSchema = async (options) => {
    const schema = await generate(options);
    const entities = schema?.getQueryType()?.getFields()['_entities'];
    if (
      entities?.resolve &&
      !ENHANCERS.every((each) => options.fieldResolverEnhancers?.includes(each))
    ) {
      refuseRequestScoped(config);
      entities.resolve = guarded(entities.resolve, creator);
    }
    return schema;
  };
}

const ENHANCERS = ['guards', 'interceptors'];

interface EntityOptions {
  readonly fieldResolverEnhancers?: readonly string[];
}

type EntitiesResolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/**
 * Nest treats this class as a resolver of the application. Guards and context decorators for all
 * resolvers then also apply to `_entities`.
 */
class FederatedEntities {
  constructor(private readonly resolve: EntitiesResolver) {}

  readonly _entities = (...args: Parameters<EntitiesResolver>): unknown => this.resolve(...args);
}

function guarded(resolve: EntitiesResolver, creator: ExternalContextCreator): EntitiesResolver {
  const resolver = new FederatedEntities(resolve);
  return creator.create(
    resolver,
    resolver._entities as (...args: unknown[]) => unknown,
    '_entities',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    'graphql',
  );
}

/**
 * Throws if a guard or an interceptor is request-scoped, because Nest creates such classes only for
 * a resolver of the application.
 */
function refuseRequestScoped(config: ApplicationConfig): void {
  const scoped = [...config.getGlobalRequestGuards(), ...config.getGlobalRequestInterceptors()];
  if (scoped.length === 0) return;
  const names = scoped.map(({ metatype }) => (metatype as Function | null)?.name ?? 'a factory');
  throw new GraphqlOptionError(
    `GraphQLModule serves a federated subgraph, and ${names.join(', ')} is global and request-scoped, so it does ` +
      `not run for _entities. Set GraphQLModule.forRoot({ fieldResolverEnhancers: ['guards', 'interceptors'] }).`,
  );
}
