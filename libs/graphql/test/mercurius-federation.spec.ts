// A subgraph of Mercurius: what runs for the references that a gateway resolves.
import { afterEach, describe, expect, it } from '@jest/globals';
import { type CanActivate, type ExecutionContext, Injectable, Scope } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  Context,
  Directive,
  Field,
  GqlExecutionContext,
  GraphQLModule,
  ID,
  ObjectType,
  Query,
  ResolveReference,
  Resolver,
} from '@nestjs/graphql';
import { MercuriusFederationDriver, type MercuriusFederationDriverConfig } from '@nestjs/mercurius';
import { ContextModule, defineHttpContextDecorator } from '@fledge/core';
import { type GraphqlContext, GraphqlOptionError } from '@fledge/graphql';
import { GraphqlMercuriusModule, MercuriusContextFactory } from '@fledge/graphql/mercurius';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { TenantsModule } from './support/feed.js';
import { query } from './support/requests.js';

const [, fastify] = platforms;

afterEach(closeAll);

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: (ctx) => ctx.headers['x-user'] ?? null,
});

@ObjectType()
@Directive('@key(fields: "id")')
class Product {
  @Field(() => ID) id!: string;
  @Field(() => String) seen!: string;
}

const seenBy = ({ ctx }: GraphqlContext) =>
  `${String(ctx.get('tenant'))} ${String(ctx.get('user'))}`;

@Resolver(() => Product)
class ProductResolver {
  @Query(() => Product)
  product(@Context() context: GraphqlContext) {
    return { id: '1', seen: seenBy(context) };
  }

  @ResolveReference()
  resolveReference({ id }: { id: string }, context: GraphqlContext) {
    return { id, seen: seenBy(context) };
  }
}

let guarded = 0;

class HeaderGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    guarded += 1;
    const { req } = GqlExecutionContext.create(execution).getContext<GraphqlContext>();
    return req.headers['x-refused'] === undefined;
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard extends HeaderGuard {}

const start = (guard: typeof HeaderGuard, options: Partial<MercuriusFederationDriverConfig> = {}) =>
  serve(
    {
      imports: [
        ContextModule.forRoot({ contributors: [LoadUser] }),
        TenantsModule,
        GraphqlMercuriusModule.forRoot(),
        GraphQLModule.forRoot<MercuriusFederationDriverConfig>({
          driver: MercuriusFederationDriver,
          autoSchemaFile: { federation: 2 },
          context: MercuriusContextFactory.create,
          ...options,
        }),
      ],
      providers: [ProductResolver, { provide: APP_GUARD, useClass: guard }],
    },
    fastify!,
  );

const ENTITIES =
  'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Product { id seen } } }';
const variables = {
  representations: ['1', '2'].map((id) => ({ __typename: 'Product', id })),
};

describe('references of a Mercurius subgraph', () => {
  it.each([
    ['global guards', {}],
    ['guards of fields', { fieldResolverEnhancers: ['guards', 'interceptors'] as never }],
  ])('run %s and context decorators, with the tenant of the request', async (_name, options) => {
    const { url } = await start(HeaderGuard, options);
    const ask = (headers: Record<string, string>) =>
      query(`${url}/graphql`, ENTITIES, headers, variables);
    guarded = 0;
    const { body } = await ask({ 'x-tenant-id': 'acme', 'x-user': 'ann' });
    expect(body.data._entities).toEqual([
      { id: '1', seen: 'acme ann' },
      { id: '2', seen: 'acme ann' },
    ]);
    expect(guarded).toBeGreaterThan(0);
    const refused = await ask({ 'x-tenant-id': 'acme', 'x-refused': 'yes' });
    expect(refused.body.errors[0].message).toBe('Forbidden resource');
    expect(JSON.stringify(refused.body.data ?? null)).not.toContain('acme');
  });

  it('stop the boot with a request-scoped global guard, which would not run', async () => {
    const booted = start(ScopedGuard);
    await expect(booted).rejects.toThrow(GraphqlOptionError);
    await expect(booted).rejects.toThrow(/ScopedGuard is global and request-scoped/);
  });
});
