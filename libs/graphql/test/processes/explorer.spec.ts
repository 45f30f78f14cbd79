import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  All,
  type CanActivate,
  Controller,
  type DynamicModule,
  type INestApplication,
  Module,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { ContextModule } from '@fledge/core';
import { RequestContexts } from '@fledge/core/packages';
import { GraphqlAdapter, GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../../test/support/platforms.js';
import { query } from '../support/requests.js';

afterEach(closeAll);

const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const schema = {
  typeDefs: 'type Query { hello: String } type Subscription { ticks: Int }',
  rootValue: { hello: () => 'world' },
};

const mount = (options: object = {}): DynamicModule =>
  GraphqlMountModule.forRoot({ ...schema, ...options });

const apollo = (options: object = {}, explorer?: boolean): DynamicModule[] => [
  GraphqlApolloModule.forRoot(explorer === undefined ? {} : { explorer }),
  GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    typeDefs: schema.typeDefs,
    context: GraphqlContextFactory.create,
    ...options,
  }),
];

/** Refuses all requests that reach a handler of Nest. */
class Deny implements CanActivate {
  canActivate(): boolean {
    throw new UnauthorizedException();
  }
}

/** Stands for a tenant module that refuses requests without a tenant. */
@Module({ imports: [ContextModule] })
class RefusingModule {
  constructor(contexts: RequestContexts) {
    contexts.register({
      open: () => undefined,
      admit: () => {
        throw new UnauthorizedException('no tenant');
      },
    });
  }
}

@Controller()
class CatchAll {
  @All('*')
  answer() {
    return 'caught';
  }
}

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Opens an address as a browser does. */
async function visit(url: string, init: RequestInit = {}): Promise<Page> {
  const headers = { accept: BROWSER, ...init.headers };
  const response = await fetch(url, { redirect: 'manual', ...init, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const isExplorer = ({ status, text }: Page): boolean =>
  status === 200 && text.includes('/explorer.js"');

/** Sends a path that `fetch` would change. */
function raw(url: string, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { path, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

async function inProduction(run: () => Promise<void>): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await run();
  } finally {
    process.env['NODE_ENV'] = before;
  }
}

describe.each(platforms)('the explorer on $name', (platform) => {
  const open = async (
    imports: readonly (DynamicModule | (new (...args: never[]) => object))[],
    prepare?: (app: INestApplication) => void,
    more: object = {},
  ) => serve({ imports: [...imports], ...more }, platform, prepare);

  const ways: readonly [string, () => DynamicModule[]][] = [
    ['the mount', () => [mount()]],
    ['the mount as route', () => [mount({ mountAs: 'route' })]],
    ['Yoga', () => [mount({ runtime: yoga() })]],
    ['Apollo', () => apollo()],
    ['Apollo without GraphiQL', () => apollo({ graphiql: false })],
  ];

  it.each(ways)('is the answer of %s to a browser', async (_name, imports) => {
    const { url } = await open(imports());
    const page = await visit(`${url}/graphql`);
    expect(isExplorer(page)).toBe(true);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: expect.stringMatching(/\bAccept\b/),
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
        "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    // Nothing is inline, and nothing comes from another server.
    expect(page.text).not.toMatch(
      /<style|<script(?! type="module" src="\.\/)|\son\w+=|https?:\/\/(?!www\.w3\.org)/,
    );

    const head = await visit(`${url}/graphql`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(page.text)));
  });

  it.each(ways)('leaves other requests to %s', async (_name, imports) => {
    const { app, url } = await open(imports());
    const endpoint = `${url}/graphql`;
    const asked = `${endpoint}?query=${encodeURIComponent('{ hello }')}`;
    const preflight = { 'apollo-require-preflight': '1' };
    for (const accept of ['application/json', '*/*', 'application/json, text/html']) {
      const answer = await visit(asked, { headers: { accept, ...preflight } });
      expect([accept, answer.status, answer.headers.get('content-type')]).toEqual([
        accept,
        accept.includes('html') ? expect.any(Number) : 200,
        expect.stringContaining('json'),
      ]);
      // Caches keep it apart from the page.
      expect(answer.headers.get('vary')).toMatch(/\baccept\b/i);
    }
    const posted = await query(endpoint, '{ hello }', { accept: BROWSER });
    expect([posted.status, posted.type]).toEqual([200, expect.stringContaining('json')]);
    for (const path of ['/graphqlx', '/graphql/x', '/other']) {
      expect(isExplorer(await visit(url + path))).toBe(false);
    }
    if (imports().length > 1) return;
    // A page is no operation.
    const { queries } = app.get(GraphqlAdapter).introspect().metrics;
    await visit(endpoint);
    expect(app.get(GraphqlAdapter).introspect().metrics).toMatchObject({ queries, errors: 0 });
  });

  it.each(ways)('serves its files below the path of %s, and no others', async (_name, imports) => {
    const { url } = await open(imports());
    for (const [file, type] of [
      ['explorer.js', 'text/javascript; charset=utf-8'],
      ['explorer.css', 'text/css; charset=utf-8'],
    ]) {
      const first = await visit(`${url}/graphql/${file}`, { headers: { accept: '*/*' } });
      expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
      expect(first.headers.get('cache-control')).toBe('no-cache');
      expect(first.text.length).toBeGreaterThan(2_000);
      const etag = first.headers.get('etag')!;
      const again = await visit(`${url}/graphql/${file}?v=1`, {
        headers: { 'if-none-match': etag },
      });
      expect([again.status, again.text]).toEqual([304, '']);
      const head = await visit(`${url}/graphql/${file}`, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(first.text));
    }
    for (const path of [
      '/graphql/licenses.md',
      '/graphql/explorer.ts',
      '/graphql/constructor',
      '/graphql/../package.json',
      '/graphql/..%2f..%2fpackage.json',
      '/graphql/explorer.js/../../../package.json',
      '/graphql//explorer.js',
      '/graphql/explorer.js%00',
      '/graphql/%2e%2e/%2e%2e/package.json',
    ]) {
      const { status, text } = await raw(url, path);
      expect([path, status < 500]).toEqual([path, true]);
      expect(text).not.toMatch(/"name": "@fledge|Marijn|createElement/);
    }
    expect((await visit(`${url}/graphql/explorer.js`, { method: 'POST' })).text).not.toContain(
      'CodeMirror',
    );
  });

  it('is off in production, where browsers get what they got before', async () => {
    await inProduction(async () => {
      for (const imports of [[mount()], [mount({ runtime: yoga() })], apollo()]) {
        const { url } = await open(imports);
        const page = await visit(`${url}/graphql`);
        expect([isExplorer(page), page.headers.get('content-type')]).toEqual([
          false,
          expect.not.stringContaining('html'),
        ]);
        expect(page.text).not.toMatch(/\bat .*:\d+:\d+/);
        expect((await visit(`${url}/graphql/explorer.js`)).headers.get('etag') ?? '').not.toMatch(
          /^"[\w-]{22}"$/,
        );
      }
    });
  });

  it('follows the option before the environment', async () => {
    for (const imports of [[mount({ explorer: false })], apollo({ graphiql: false }, false)]) {
      expect(isExplorer(await visit(`${(await open(imports)).url}/graphql`))).toBe(false);
    }
    await inProduction(async () => {
      for (const imports of [[mount({ explorer: true })], apollo({}, true)]) {
        expect(isExplorer(await visit(`${(await open(imports)).url}/graphql`))).toBe(true);
      }
    });
  });

  it('takes the option from a factory', async () => {
    const { url } = await open([
      GraphqlMountModule.forRootAsync({ useFactory: () => ({ ...schema, explorer: false }) }),
      GraphqlMountModule.forRootAsync({
        name: 'Other',
        useFactory: () => ({ ...schema, path: '/other' }),
      }),
    ]);
    expect(isExplorer(await visit(`${url}/graphql`))).toBe(false);
    expect(isExplorer(await visit(`${url}/other`))).toBe(true);
  });

  it('is shown before tenants, guards and routes, which its operations meet', async () => {
    const { url } = await open(
      [RefusingModule, mount(), mount({ name: 'Route', path: '/route', mountAs: 'route' })],
      undefined,
      { providers: [{ provide: APP_GUARD, useClass: Deny }], controllers: [CatchAll] },
    );
    for (const path of ['/graphql', '/route']) {
      expect(isExplorer(await visit(url + path))).toBe(true);
      expect((await query(url + path, '{ hello }')).status).toBe(401);
    }
    expect((await visit(`${url}/elsewhere`)).status).toBe(401);
  });

  it('is served below a global prefix', async () => {
    const { url } = await open(
      [
        mount(),
        ...apollo({ path: '/apollo' }).slice(1),
        GraphqlApolloModule.forRoot({ name: 'Apollo', path: '/apollo' }),
      ],
      (app) => app.setGlobalPrefix('api'),
    );
    expect(isExplorer(await visit(`${url}/api/graphql`))).toBe(true);
    expect(isExplorer(await visit(`${url}/graphql`))).toBe(false);
    // GraphQLModule has the prefix only with useGlobalPrefix.
    expect(isExplorer(await visit(`${url}/apollo`))).toBe(true);

    const prefixed = await open(apollo({ useGlobalPrefix: true }), (app) =>
      app.setGlobalPrefix('api'),
    );
    const page = await visit(`${prefixed.url}/api/graphql`);
    expect(isExplorer(page)).toBe(true);
    expect((await visit(`${prefixed.url}/api/graphql/explorer.js`)).status).toBe(200);
  });

  it('leads from a trailing slash to the path, with the query', async () => {
    const { url } = await open([mount({ path: '/api/graphql' })]);
    const { status, headers } = await visit(`${url}/api/graphql/?query=%7B%20a%20%7D&x=?`);
    expect(status).toBe(308);
    const target = new URL(headers.get('location')!, `${url}/api/graphql/`);
    expect(target.href).toBe(`${url}/api/graphql?query=%7B%20a%20%7D&x=?`);
    expect(isExplorer(await visit(target.href))).toBe(true);
  });

  it('names the path of the sockets', async () => {
    const socketAt = async (url: string) =>
      /data-socket="([^"]*)"/.exec((await visit(url)).text)?.[1];
    const mounts = await open([
      mount(),
      mount({ name: 'Own', path: '/own', subscriptions: true }),
      mount({ name: 'Else', path: '/api/else', subscriptions: { path: '/sockets' } }),
    ]);
    expect(await socketAt(`${mounts.url}/graphql`)).toBe('');
    expect(await socketAt(`${mounts.url}/own`)).toBe('./own');
    expect(await socketAt(`${mounts.url}/api/else`)).toBe('./../sockets');
    const plain = await open(apollo());
    expect(await socketAt(`${plain.url}/graphql`)).toBe('');
    const ours = await open([...apollo(), GraphqlSubscriptionsModule.forApollo()]);
    expect(await socketAt(`${ours.url}/graphql`)).toBe('./graphql');
    const nests = await open(apollo({ subscriptions: { 'graphql-ws': { path: '/nest' } } }));
    expect(await socketAt(`${nests.url}/graphql`)).toBe('./nest');
  });

  it('refuses an option that is no boolean', async () => {
    await expect(open([mount({ explorer: 'yes' })])).rejects.toThrow(
      'GraphqlMountModule.forRoot({ explorer }) is "yes", but must be true or false.',
    );
    expect(() => GraphqlApolloModule.forRoot({ explorer: 'yes' as never })).toThrow(
      'GraphqlApolloModule.forRoot({ explorer }) is "yes", but must be true or false.',
    );
  });
});
