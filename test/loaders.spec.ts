// A loader serves GraphQL, REST handlers and tools alike, and keeps requests, events and tenants apart.
import { ContextLoader } from '@fledge/core/loader';
import {
  type GraphqlContext,
  GraphqlMountModule,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { McpModule, McpTool } from '@fledge/mcp';
import { Tenancy, TenantModule } from '@fledge/tenant';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Controller, Get, Injectable } from '@nestjs/common';
import {
  Field,
  GraphQLModule,
  Int,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import { PubSub } from 'graphql-subscriptions';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { call, closeAll, platforms, post, serve } from './support/platforms.js';
import { until } from './support/until.js';

/** The keys of each batch, with the tenant that asked. */
let batches: string[] = [];
/** Changes what is loaded, as a write would. */
let version = 1;
let pubsub = new PubSub();

beforeEach(() => {
  batches = [];
  version = 1;
  pubsub = new PubSub();
});
afterEach(closeAll);

@Injectable()
class AuthorLoader extends ContextLoader<number, string> {
  constructor(private readonly tenancy: Tenancy) {
    super();
  }

  protected async batch(ids: readonly number[]) {
    const { tenantId } = this.tenancy.current();
    batches.push(`${tenantId} ${ids.join()}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return ids.map((id) => `${tenantId} ${id} v${version}`);
  }
}

const IDS = [1, 2, 1];

@ObjectType()
class Book {
  @Field(() => Int)
  authorId!: number;
}

const shelf = (): Book[] => IDS.map((authorId) => ({ authorId }));

@Resolver(() => Book)
class BookResolver {
  constructor(private readonly authors: AuthorLoader) {}

  @Query(() => [Book])
  books() {
    return shelf();
  }

  @ResolveField(() => String)
  author(@Parent() { authorId }: Book) {
    return this.authors.load(authorId);
  }

  @Subscription(() => [Book], { resolve: shelf })
  added() {
    return pubsub.asyncIterableIterator('added');
  }
}

@Controller()
class BookController {
  constructor(
    private readonly authors: AuthorLoader,
    private readonly tenancy: Tenancy,
  ) {}

  @Get('books')
  @McpTool({ name: 'books', description: 'Lists the authors of books' })
  async books() {
    return { authors: await Promise.all(IDS.map((id) => this.authors.load(id))) };
  }

  @Get('nested')
  async nested() {
    const load = () => this.authors.load(1);
    return Promise.all([load(), this.tenancy.run('globex', load), load()]);
  }
}

const booksOfMount = () =>
  IDS.map((id) => ({
    author: (_args: object, { container }: GraphqlContext) => container.get(AuthorLoader).load(id),
  }));

async function* added() {
  const events: AsyncIterable<unknown> = pubsub.asyncIterableIterator('added');
  for await (const event of events) yield { event, added: booksOfMount() };
}

describe.each(platforms)('a loader on $name', (platform) => {
  const start = () =>
    serve(
      {
        imports: [
          TenantModule.forRoot({ strategy: 'header' }),
          McpModule.forRoot({ name: 'spec' }),
          GraphqlMountModule.forRoot({
            typeDefs:
              'type Book { author: String! } type Query { books: [Book!]! } type Subscription { added: [Book!]! }',
            rootValue: { books: booksOfMount, added },
            subscriptions: {},
          }),
          GraphqlApolloModule.forRoot({ name: 'Apollo', path: '/apollo' }),
          GraphQLModule.forRoot<ApolloDriverConfig>({
            driver: ApolloDriver,
            autoSchemaFile: true,
            path: '/apollo',
            context: GraphqlContextFactory.create,
          }),
          GraphqlSubscriptionsModule.forApollo({ path: '/apollo' }),
        ],
        controllers: [BookController],
        providers: [AuthorLoader, BookResolver],
      },
      platform,
      undefined,
      { forceCloseConnections: true },
    );

  const expected = (tenant: string, of = 1) => IDS.map((id) => `${tenant} ${id} v${of}`);
  const authorsOf = (books: readonly { author: string }[]) => books.map(({ author }) => author);
  const ask = async (url: string, path: string, tenant: string) => {
    const init = post({ query: '{ books { author } }' });
    const headers = { ...init.headers, 'x-tenant-id': tenant } as Record<string, string>;
    const { body } = await call(`${url}${path}`, { ...init, headers });
    return authorsOf((body as { data: { books: { author: string }[] } }).data.books);
  };

  it.each(['/graphql', '/apollo'])(
    'loads once for the fields of an operation, and never for another tenant: %s',
    async (path) => {
      const { url } = await start();
      const tenants = Array.from({ length: 40 }, (_, i) => `t${i % 4}`);
      const answers = await Promise.all(tenants.map((tenant) => ask(url, path, tenant)));
      expect(answers).toEqual(tenants.map((tenant) => expected(tenant)));
      expect(batches.toSorted()).toEqual(tenants.map((tenant) => `${tenant} 1,2`).toSorted());
    },
  );

  it.each(['/graphql', '/apollo'])(
    'loads anew for each event of a subscription, for the tenant of each subscriber: %s',
    async (path) => {
      const { url } = await start();
      const seen: string[][] = [];
      const clients = ['acme', 'globex'].map((tenant) => {
        const client = createClient({
          url: `${url.replace('http', 'ws')}${path}`,
          webSocketImpl: WebSocket,
          connectionParams: { 'x-tenant-id': tenant },
        });
        client.subscribe<{ added: { author: string }[] }>(
          { query: 'subscription { added { author } }' },
          {
            next: ({ data }) => void seen.push(authorsOf(data!.added)),
            error: (error) => void seen.push([JSON.stringify(error)]),
            complete: () => undefined,
          },
        );
        return client;
      });
      const listeners = () =>
        Object.keys((pubsub as unknown as { subscriptions: object }).subscriptions).length;
      await until(() => listeners() === 2);
      for (version of [1, 2]) {
        await pubsub.publish('added', {});
        await until(() => seen.length === 2 * version);
      }
      expect(seen.toSorted()).toEqual(
        ['acme', 'globex'].flatMap((tenant) => [expected(tenant, 1), expected(tenant, 2)]),
      );
      expect(batches.toSorted()).toEqual(['acme 1,2', 'acme 1,2', 'globex 1,2', 'globex 1,2']);
      for (const client of clients) await client.dispose();
    },
  );

  it('loads once for a request to a handler, and once for each tool call', async () => {
    const { url } = await start();
    const headers = { 'x-tenant-id': 'acme' };
    expect((await call(`${url}/books`, { headers })).body).toEqual({ authors: expected('acme') });
    const client = new Client({ name: 'spec', version: '1.0.0' });
    const endpoint = new URL(`${url}/_mcp/messages`);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
    const results = await Promise.all([1, 2].map(() => client.callTool({ name: 'books' })));
    await client.close();
    const text = JSON.stringify({ authors: expected('acme') });
    for (const { content } of results) expect(content).toEqual([{ type: 'text', text }]);
    expect(batches).toEqual(['acme 1,2', 'acme 1,2', 'acme 1,2']);
  });

  it('keeps a tenant scope inside a request apart from it', async () => {
    const { url } = await start();
    const { body } = await call(`${url}/nested`, { headers: { 'x-tenant-id': 'acme' } });
    expect(body).toEqual(['acme 1 v1', 'globex 1 v1', 'acme 1 v1']);
    expect(batches.toSorted()).toEqual(['acme 1', 'globex 1']);
  });
});
