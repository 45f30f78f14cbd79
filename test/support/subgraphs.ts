import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { ContextModule, defineHttpContextDecorator, RequestContext } from '@fledge/core';
import { ContextLoader } from '@fledge/core/loader';
import { type GraphqlContext, GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import {
  formatApolloError,
  GraphqlApolloModule,
  GraphqlContextFactory,
} from '@fledge/graphql/apollo';
import { yoga } from '@fledge/graphql/yoga';
import { Tenancy, TenantModule, type TenantStore } from '@fledge/tenant';
import { ApolloFederationDriver, type ApolloFederationDriverConfig } from '@nestjs/apollo';
import { Injectable, type ModuleMetadata } from '@nestjs/common';
import {
  Context,
  Directive,
  Field,
  GraphQLModule,
  ID,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  ResolveReference,
  Resolver,
} from '@nestjs/graphql';
import { parse } from 'graphql';

/** The tenant and the keys of each batch. */
export const batches: string[] = [];
/** Counts how many times the context decorator ran. */
export const decorated = { count: 0 };

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: async (ctx) => {
    decorated.count += 1;
    return Promise.resolve(ctx.headers['x-user'] ?? null);
  },
});

interface Reference {
  readonly id: string;
}

@Injectable()
class Stock extends ContextLoader<string, string> {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly request: RequestContext,
  ) {
    super();
  }

  protected batch(ids: readonly string[]) {
    const { tenantId } = this.tenancy.current();
    const user = this.request.get('user');
    batches.push(`${tenantId} ${ids.join()}`);
    return Promise.resolve(ids.map((id) => `${tenantId} ${String(user)} ${id}`));
  }
}

/** Returns the tenant and the user that a resolver finds in its context and in the container. */
function seenBy({ ctx, container }: GraphqlContext): string {
  const { tenantId } = container.get(Tenancy).current();
  const user = container.get(RequestContext).get('user');
  return `${tenantId} ${String(ctx.get('user'))}${user === ctx.get('user') ? '' : ' differs'}`;
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])`;

const productsSchema = () =>
  buildSubgraphSchema([
    {
      typeDefs: parse(`${LINK}
      type Query { products(count: Int!): [Product!]! refused: String }
      type Mutation { buy: String! }
      type Product @key(fields: "id") { id: ID! soldTo: String! }`),
      resolvers: {
        Query: {
          products: (_: unknown, { count }: { count: number }) =>
            Array.from({ length: count }, (__, i) => ({ id: String(i) })),
        },
        Mutation: { buy: (_: unknown, __: unknown, context: GraphqlContext) => seenBy(context) },
        Product: {
          soldTo: (_: unknown, __: unknown, context: GraphqlContext) => seenBy(context),
        },
      },
    },
  ]);

const stockSchema = () =>
  buildSubgraphSchema([
    {
      typeDefs: parse(`${LINK} type Product @key(fields: "id") { id: ID! inStock: String! }`),
      resolvers: {
        Product: {
          __resolveReference: async ({ id }: Reference, { container }: GraphqlContext) => ({
            id,
            inStock: await container.get(Stock).load(id),
          }),
        },
      },
    },
  ]);

@ObjectType()
@Directive('@key(fields: "id")')
class Product {
  @Field(() => ID)
  id!: string;
  referredBy!: string;
}

@Resolver(() => Product)
class ProductResolver {
  constructor(private readonly stock: Stock) {}

  @Query(() => Product)
  lastReviewed(@Context() context: GraphqlContext): Product {
    return { id: '7', referredBy: seenBy(context) };
  }

  @ResolveReference()
  async resolveReference({ id }: Reference, context: GraphqlContext) {
    return { id, referredBy: `${seenBy(context)}, ${await this.stock.load(id)}` };
  }

  @ResolveField(() => String)
  reviewedBy(@Parent() { referredBy }: Product, @Context() context: GraphqlContext) {
    return `${referredBy}, ${seenBy(context)}`;
  }
}

export type SubgraphOptions = Partial<GraphqlMountOptions> &
  Pick<ApolloFederationDriverConfig, 'fieldResolverEnhancers'>;

const subgraphs = {
  products: (options: Partial<GraphqlMountOptions>): ModuleMetadata => ({
    imports: [GraphqlMountModule.forRoot({ schema: productsSchema, ...options })],
  }),
  stock: (options: Partial<GraphqlMountOptions>): ModuleMetadata => ({
    imports: [GraphqlMountModule.forRoot({ schema: stockSchema, runtime: yoga(), ...options })],
  }),
  reviews: ({ introspection = true, ...options }: SubgraphOptions): ModuleMetadata => ({
    imports: [
      GraphqlApolloModule.forRoot(),
      GraphQLModule.forRoot<ApolloFederationDriverConfig>({
        driver: ApolloFederationDriver,
        autoSchemaFile: { federation: 2 },
        context: GraphqlContextFactory.create,
        // Disables inline traces, because Apollo announces them on the console.
        plugins: [GraphqlContextFactory.metricsPlugin(), ApolloServerPluginInlineTraceDisabled()],
        introspection,
        formatError: formatApolloError,
        fieldResolverEnhancers: options.fieldResolverEnhancers ?? [],
      }),
    ],
    providers: [ProductResolver],
  }),
};

export type Subgraph = keyof typeof subgraphs;
export const names = Object.keys(subgraphs) as Subgraph[];

/** Takes the place of a table of tenants. */
const store: TenantStore['find'] = (tenantId) =>
  tenantId === 'unknown'
    ? null
    : { tenantId, status: tenantId === 'late' ? 'suspended' : 'active' };

/** Returns the tenant of a user: `ada@acme` belongs to the tenant acme. */
const principal = ({ user }: { readonly user?: unknown }) =>
  typeof user === 'string' ? user.split('@')[1] : undefined;

/**
 * Creates the application of one subgraph: its module with tenants, a context decorator and a
 * loader.
 */
export function subgraph(
  name: Subgraph,
  options: Partial<GraphqlMountOptions> = {},
): ModuleMetadata {
  const { imports = [], providers = [] } = subgraphs[name](options);
  return {
    imports: [
      ContextModule.forRoot({ contributors: [LoadUser] }),
      TenantModule.forRoot({ strategy: 'header', store, verify: { principal } }),
      ...imports,
    ],
    providers: [Stock, ...providers],
  };
}
