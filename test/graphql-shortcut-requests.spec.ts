// On Express, requests come to a mount past the platform and get its prototypes when the application asks for them.
import { type Server, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ContextModule, defineHttpContextDecorator, type RequestContext } from '@fledge/core';
import { currentRequestContext, RequestContexts, type RequestOpener } from '@fledge/core/packages';
import { type GraphqlContainer, GraphqlMountModule } from '@fledge/graphql';
import { Tenancy, TenantModule } from '@fledge/tenant';
import {
  type ExecutionContext,
  Inject,
  Injectable,
  type INestApplication,
  type ModuleMetadata,
  Scope,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { CLS_REQ, ClsServiceManager } from 'nestjs-cls';
import { closeAll, serve } from './support/platforms.js';
import { until } from './support/until.js';

afterEach(closeAll);

/** Whether a request or a response has Express' prototype. */
const isDressed = (given: unknown) => typeof (given as { get?: unknown }).get === 'function';
const seen: boolean[] = [];
const see = (...given: readonly unknown[]) => void seen.push(...given.map(isDressed));
const noteIn = (ctx: RequestContext) => see(ctx.req, ctx.res);

@Injectable({ scope: Scope.REQUEST })
class Scoped {
  constructor(@Inject(REQUEST) request: unknown) {
    see(request);
  }
}

@Injectable()
class Opener implements RequestOpener {
  constructor(contexts: RequestContexts) {
    contexts.register(this);
  }
  open(ctx: RequestContext) {
    noteIn(ctx);
  }
}

@Injectable()
class Admission implements RequestOpener {
  constructor(contexts: RequestContexts) {
    contexts.register(this);
  }
  open() {}
  admit(execution: ExecutionContext) {
    const http = execution.switchToHttp();
    see(http.getRequest(), http.getResponse(), execution.getArgs()[0], execution.getArgByIndex(1));
  }
}

const Noted = defineHttpContextDecorator({ key: 'noted', resolve: noteIn });

interface Resolving {
  readonly ctx: RequestContext;
  readonly req: object;
  readonly res: object;
  readonly container: GraphqlContainer;
}

const cls = ClsServiceManager.getClsService();

/** Resolvers that look at the request in one way each. */
const resolvers: Record<string, (args: object, context: Resolving) => unknown> = {
  hello: () => 'world',
  request: (_args, { ctx }) => see(ctx.req),
  response: (_args, { ctx }) => see(ctx.res),
  query: (_args, { ctx }) => void seen.push(Object.keys(ctx.query).length === 0, true),
  ofContext: (_args, { req, res }) => see(req, res),
  scoped: async (_args, { container }) => void (await container.resolve(Scoped)),
  inTenant: (_args, { container }) =>
    container.get(Tenancy).run('other', () => see(cls.get(CLS_REQ))),
  finish: (_args, { ctx }) => {
    const { res } = ctx as unknown as { readonly res: ServerResponse };
    res.once('finish', () => seen.push(currentRequestContext() === ctx));
  },
  headers: (_args, { ctx }) => void [ctx.headers, ctx.method, ctx.url, ctx.body, ctx.params],
};
const typeDefs = `type Query { ${Object.keys(resolvers).join(': String, ')}: String }`;

type Prototypes = Record<'request' | 'response', object>;

interface Setup {
  readonly parts?: ModuleMetadata;
  readonly main?: (app: INestApplication) => unknown;
  /** The field that is asked for. */
  readonly field?: string;
  readonly headers?: Record<string, string>;
}

/** Sends an operation. Returns whether the request and its response had Express' prototypes at the end. */
async function dressedAfter({ parts = {}, main, field = 'hello', headers = {} }: Setup = {}) {
  seen.length = 0;
  const imports = [
    ...(parts.imports ?? []),
    GraphqlMountModule.forRoot({ typeDefs, rootValue: resolvers, explorer: false }),
  ];
  const platform = { name: 'Express', adapter: () => new ExpressAdapter() };
  const metadata = { ...parts, imports, providers: [...(parts.providers ?? []), Scoped] };
  const { app, url } = await serve(metadata, platform, (made) => void main?.(made));
  const both: object[] = [];
  (app.getHttpServer() as Server).on('request', (...parts) => both.push(...parts));
  const { router } = app.getHttpAdapter().getInstance() as { router: { handle(): void } };
  router.handle = () => {
    throw new Error('The request came by the platform.');
  };
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: `{ ${field} }` }),
  });
  expect(await answer.text()).toContain(`"${field}":`);
  return both.map(isDressed);
}

const tenants = (options: object) => ({
  parts: { imports: [TenantModule.forRoot({ strategy: 'header', ...options } as never)] },
});
const acme = { 'x-tenant-id': 'acme' };

describe('on Express, an operation that comes straight', () => {
  it.each<[name: string, setup: Setup]>([
    ['whose resolvers do not ask', {}],
    ['whose resolvers read headers, method, URL, body and parameters', { field: 'headers' }],
    ['of a tenant', { ...tenants({}), headers: acme }],
    ['of a tenant that is missing', tenants({ mode: 'universal' })],
  ])('keeps the prototypes of Node: %s', async (_name, setup) => {
    expect(await dressedAfter(setup)).toEqual([false, false]);
  });

  it.each<[name: string, setup: Setup]>([
    ['ctx.req', { field: 'request' }],
    ['ctx.res', { field: 'response' }],
    ['ctx.query', { field: 'query' }],
    ['the context of resolvers', { field: 'ofContext' }],
    ['a request-scoped provider', { field: 'scoped' }],
    [
      'a context decorator',
      { parts: { imports: [ContextModule.forRoot({ contributors: [Noted] })] } },
    ],
    ['an opener', { parts: { providers: [Opener] } }],
    ['an opener that admits', { parts: { providers: [Admission] } }],
    ['a strategy', tenants({ strategy: (req: object) => (see(req), 'acme') })],
    [
      'trust',
      { ...tenants({ trust: { header: (req: object) => (see(req), true) } }), headers: acme },
    ],
    ['onTenantNotFound', tenants({ onTenantNotFound: (req: object) => (see(req), 'acme') })],
    [
      'verify',
      { ...tenants({ verify: { principal: (req: object) => void see(req) } }), headers: acme },
    ],
    [
      'the hook resolved',
      {
        ...tenants({ hooks: { resolved: (_t: unknown, req: object) => see(req) } }),
        headers: acme,
      },
    ],
    ['the store of nestjs-cls', { ...tenants({}), headers: acme, field: 'inTenant' }],
    [
      'verify of a body parser',
      {
        main: (app) => {
          const verify = (req: object, res: object) => see(req, res);
          (app as NestExpressApplication).useBodyParser('json', { verify } as never);
        },
      },
    ],
  ])('gives Express requests and responses to %s', async (_name, setup) => {
    expect(await dressedAfter(setup)).toEqual([true, true]);
    expect(seen).not.toHaveLength(0);
    expect(seen).not.toContain(false);
  });

  it.each<[name: string, change: (express: Prototypes) => void]>([
    ['a user on requests', ({ request }) => Object.assign(request, { user: 'of the application' })],
    [
      'its own end() of responses',
      ({ response }) => Object.assign(response, { end: ServerResponse.prototype.end }),
    ],
  ])('has the prototypes from the start where the application puts %s', async (_name, change) => {
    const main = (app: INestApplication) =>
      change(app.getHttpAdapter().getInstance() as Prototypes);
    expect(await dressedAfter({ main })).toEqual([true, true]);
  });

  it('emits its events in the context of the request once it is dressed', async () => {
    expect(await dressedAfter({ field: 'finish' })).toEqual([true, true]);
    await until(() => seen.length > 0, 'the event');
    expect(seen).toEqual([true]);
  });
});
