// What docs/apollo.md says about context decorators of fields.
import { afterEach, describe, expect, it } from '@jest/globals';
import { UnauthorizedException } from '@nestjs/common';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { ContextModule, defineHttpContextDecorator } from '@fledge/core';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { query } from './support/requests.js';

const RequireUser = defineHttpContextDecorator({
  key: 'user',
  resolve: () => {
    throw new UnauthorizedException();
  },
});

@Resolver('Thing')
class ThingResolver {
  @Query('thing')
  thing() {
    return {};
  }

  @RequireUser
  @ResolveField('secret')
  secret() {
    return 'secret';
  }
}

afterEach(closeAll);

describe.each(platforms)('a context decorator on a field, on $name', (platform) => {
  const secretWith = async (more: Partial<ApolloDriverConfig>) => {
    const graphql = GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      typeDefs: 'type Query { thing: Thing } type Thing { secret: String }',
      context: GraphqlContextFactory.create,
      ...more,
    });
    const imports = [ContextModule, GraphqlApolloModule.forRoot(), graphql];
    const { url } = await serve({ imports, providers: [ThingResolver] }, platform);
    return (await query(`${url}/graphql`, '{ thing { secret } }')).body;
  };

  it('runs only if guards of fields run', async () => {
    expect(await secretWith({})).toEqual({ data: { thing: { secret: 'secret' } } });
    const { data, errors } = await secretWith({ fieldResolverEnhancers: ['guards'] });
    expect(data).toEqual({ thing: { secret: null } });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });
});
