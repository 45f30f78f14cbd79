// An error whose extensions JSON cannot represent is masked. The data and the other errors are sent.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type ModuleMetadata } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { graphqlHttp, GraphqlMountModule, type GraphqlRuntime } from '@fledge/graphql';
import { formatApolloError, GraphqlApolloModule } from '@fledge/graphql/apollo';
import { formatMercuriusErrors, GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { GraphQLError } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { apolloModule, mercuriusModule } from './support/nest-graphql.js';
import { query } from './support/requests.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await closeAll();
});

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

@Resolver()
class Root {
  @Query(() => String)
  hello(): string {
    return 'world';
  }

  @Query(() => String, { nullable: true })
  big(): never {
    throw new GraphQLError('big', { extensions: { big: 10n } });
  }

  @Query(() => String, { nullable: true })
  cycle(): never {
    throw new GraphQLError('cycle', { extensions: cyclic });
  }

  @Query(() => String, { nullable: true })
  told(): never {
    throw new GraphQLError('told', { extensions: { code: 'MINE' } });
  }
}

const root = new Root();
const { hello, big, cycle, told } = root;
const mount = (runtime: GraphqlRuntime): ModuleMetadata => ({
  imports: [
    GraphqlMountModule.forRoot({
      typeDefs: 'type Query { hello: String big: String cycle: String told: String }',
      rootValue: { hello, big, cycle, told },
      runtime,
    }),
  ],
});
const servers: Readonly<Record<string, () => ModuleMetadata>> = {
  'graphqlHttp()': () => mount(graphqlHttp()),
  'yoga()': () => mount(yoga()),
  Apollo: () => ({
    imports: [GraphqlApolloModule.forRoot(), apolloModule({ formatError: formatApolloError })],
    providers: [Root],
  }),
  Mercurius: () => ({
    imports: [
      GraphqlMercuriusModule.forRoot(),
      mercuriusModule({ errorFormatter: formatMercuriusErrors as never }),
    ],
    providers: [Root],
  }),
};
const all = platforms.flatMap((platform) =>
  Object.entries(servers)
    .filter(([server]) => server !== 'Mercurius' || platform.name === 'Fastify')
    .map(([server, module]) => ({ name: `${server} on ${platform.name}`, platform, module })),
);

describe.each(all)('$name', ({ platform, module }) => {
  it('masks only the errors that JSON cannot represent', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { url } = await serve(module(), platform);
    const { body } = await query(`${url}/graphql`, '{ hello big cycle told }');
    expect(body.data).toEqual({ hello: 'world', big: null, cycle: null, told: null });
    const masked = { message: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' };
    type Sent = { message: string; extensions: { code: string } };
    const errors = (body.errors as Sent[]).map(({ message, extensions: { code } }) => ({
      message,
      code,
    }));
    expect(errors).toEqual([masked, masked, { message: 'told', code: 'MINE' }]);
    expect(log.mock.calls.join()).toContain('BigInt');
  });
});
