import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ConflictException, Logger, Module, NotFoundException } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import {
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import {
  formatApolloError,
  GraphqlApolloModule,
  GraphqlContextFactory,
} from '@fledge/graphql/apollo';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { deepDocument } from './support/documents.js';
import { query } from './support/requests.js';
import { apolloModule } from './support/nest-graphql.js';

afterEach(closeAll);

@Resolver()
class HelloResolver {
  @Query(() => String)
  hello() {
    return 'world';
  }

  @Query(() => String)
  missing() {
    throw new NotFoundException('There is no task 7');
  }

  @Query(() => String)
  taken() {
    throw new ConflictException({ message: 'Taken', code: 'NAME_TAKEN' });
  }

  @Query(() => String)
  bug() {
    throw new Error('secret');
  }
}

@Module({
  imports: [
    GraphqlApolloModule.forRoot(),
    apolloModule({
      plugins: [GraphqlContextFactory.metricsPlugin()],
      formatError: formatApolloError,
    }),
    GraphqlSubscriptionsModule.forApollo({ operations: 'all' }),
  ],
  providers: [HelloResolver],
})
class AppModule {}

describe.each(platforms)('Apollo over both transports on $name', (platform) => {
  /** The errors of a query, over the socket. */
  async function overSocket(url: string, text: string): Promise<unknown> {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    try {
      const { value } = await client.iterate({ query: text }).next();
      return value;
    } finally {
      await client.dispose();
    }
  }

  it('counts operations of both in one snapshot', async () => {
    const { app, url } = await serve(AppModule, platform);
    await query(`${url}/graphql`, '{ hello }');
    await overSocket(url, '{ hello }');
    await overSocket(url, '{ missing }');
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    expect(adapter.introspect().metrics).toEqual({ queries: 3, mutations: 0, errors: 1 });
  });

  it('answers an unknown operation name with 400, and counts an error', async () => {
    const { app, url } = await serve(AppModule, platform);
    const named = { operationName: 'B' };
    const { status, body } = await query(`${url}/graphql`, 'query A { hello }', {}, {}, named);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'Unknown operation named "B".' }] },
    });
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    expect(adapter.introspect().metrics).toEqual({ queries: 0, mutations: 0, errors: 1 });
  });

  it('blames clients for a document that is nested too deeply, and logs nothing', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { url } = await serve(AppModule, platform);
    const { status, body } = await query(`${url}/graphql`, deepDocument);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        errors: [
          {
            message: 'The document or the variables are nested too deeply',
            extensions: { code: 'GRAPHQL_PARSE_FAILED' },
          },
        ],
      },
    });
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  it.each([
    ['missing', 'There is no task 7', 'NOT_FOUND'],
    ['taken', 'Taken', 'NAME_TAKEN'],
    ['bug', 'Internal server error', 'INTERNAL_SERVER_ERROR'],
  ])('answers { %s } with the same error over both: %s', async (field, message, code) => {
    process.env['NODE_ENV'] = 'production';
    try {
      const { url } = await serve(AppModule, platform);
      const error = expect.objectContaining({
        message,
        extensions: expect.objectContaining({ code }),
      });
      const overHttp = await query(`${url}/graphql`, `{ ${field} }`);
      expect(overHttp).toMatchObject({ body: { errors: [error] } });
      expect(await overSocket(url, `{ ${field} }`)).toMatchObject({ errors: [error] });
      expect(JSON.stringify(overHttp)).not.toMatch(/stack|secret/);
    } finally {
      process.env['NODE_ENV'] = 'test';
    }
  });
});
