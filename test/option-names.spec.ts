// A misspelled option would be ignored: each entry of the packages has to refuse it and to name the right one. Tables of
// options are found by syntax, so a new option is tested by itself, and a new table fails until `ENTRIES` passes it.
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import {
  ContextModule,
  defineAdapter,
  defineHttpContextDecorator,
  definePlugin,
  IntrospectionRegistry,
} from '@fledge/core';
import { ContextLoader } from '@fledge/core/loader';
import { CallObservers, EventStream } from '@fledge/core/packages';
import { graphqlHttp, GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { McpModule, McpPrompt, McpResource, McpTool } from '@fledge/mcp';
import { graphqlOperations } from '@fledge/mcp/graphql';
import { OauthBridgeModule, redisBridgeStore } from '@fledge/mcp/oauth-bridge';
import { redisSessions, redisTasks, redisWrites } from '@fledge/mcp/redis';
import { createMcpTestClient, type McpTestClient } from '@fledge/mcp/testing';
import { PanelModule } from '@fledge/panel';
import {
  compileQuery,
  decodeCursor,
  encodeCursor,
  exportPages,
  keysetPage,
  parseQuery,
} from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Paginated, QueryModule } from '@fledge/query/nest';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { Tenancy, tenantMetricLabel, TenantModule } from '@fledge/tenant';
import { TenantCache } from '@fledge/tenant/cache';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { TenantImpersonationModule } from '@fledge/tenant/impersonation';
import { tenantPlugin } from '@fledge/tenant/kysely';
import { TenantLifecycle, TenantLifecycleModule } from '@fledge/tenant/lifecycle';
import { auditMariadb, mariadbSql } from '@fledge/tenant/mariadb';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import { guardTenants } from '@fledge/tenant/mikro-orm';
import { guardConnection } from '@fledge/tenant/mongoose';
import { redisInvalidations } from '@fledge/tenant/redis';
import { auditRls, bindTenant, rlsSql, TenantRlsModule } from '@fledge/tenant/rls';
import { expectNoTenantLeak } from '@fledge/tenant/testing';
import { TenantSocketsModule } from '@fledge/tenant/websockets';
import {
  findTables,
  type FoundTable,
  namesIn,
  root,
  rulesOf,
  spreadIn,
  tablesIn,
} from './support/option-tables.js';
import { closeAll, createApp, platforms } from './support/platforms.js';

/** How applications pass the options of a table. */
interface Entry {
  readonly call: string;
  // The options are wrong in each call, so they have no type.
  readonly pass: (options: never) => unknown;
  /** Options that are complete, so that those in groups are read. */
  readonly valid?: object;
  /** What tells apart the kinds of objects that an option accepts. */
  readonly kinds?: Readonly<Record<string, readonly object[]>>;
}

const [express] = platforms as [(typeof platforms)[number]];
const boot = async (metadata: ModuleMetadata) =>
  (await createApp(metadata, express.adapter())).init();

/** An entry of a module, whose options are read at startup at the latest. */
const module = (
  call: string,
  importOf: (options: never) => NonNullable<ModuleMetadata['imports']>[number],
  valid: object = {},
  imports: NonNullable<ModuleMetadata['imports']> = [],
): Entry => ({
  call,
  pass: (options) => boot({ imports: [...imports, importOf(options)] }),
  valid,
});

/** An entry of a decorator for routes that `McpModule` publishes. */
const onRoute = (
  call: string,
  decorate: (options: never) => MethodDecorator,
  valid: object,
): Entry => ({
  call,
  pass: (options) => {
    class NotesController {
      get() {
        return [];
      }
    }
    const { prototype } = NotesController;
    const descriptor = Object.getOwnPropertyDescriptor(prototype, 'get')!;
    Get()(prototype, 'get', descriptor);
    decorate(options)(prototype, 'get', descriptor);
    Controller('notes')(NotesController);
    const imports = [McpModule.forRoot({ name: 'spec' })];
    return boot({ imports, controllers: [NotesController] });
  },
  valid,
});

const mcpPrompt = onRoute('@McpPrompt', (given) => McpPrompt(given), { description: 'Asks' });

const mcpModule = module('McpModule.forRoot', (given) => McpModule.forRoot(given), {
  name: 'spec',
});

const mcpEndpoint = module(
  'endpoints of McpModule.forRoot',
  (given) => McpModule.forRoot({ name: 'spec', endpoints: [given] }),
  { path: '/mcp' },
);

const mcpResource = onRoute('@McpResource', (given) => McpResource(given), { uri: 'a://b' });
const mcpTool = onRoute('@McpTool', (given) => McpTool(given), { description: 'Lists notes' });

const schema = buildSchema('type Query { me: String }');
const tenants = TenantModule.forRoot({ strategy: 'header', store: { find: () => null } });
const ledger = { connect: () => Promise.reject(new Error('No call gets here')) };
const steps = {
  ledger,
  tenant: { migrate: () => undefined, seed: () => undefined },
  tasks: { count: () => undefined },
};
const query = () => Promise.resolve([]);
const secret = 'a secret with at least thirty-two bytes';
class Doubles extends ContextLoader<number, number> {
  protected batch(keys: readonly number[]) {
    return Promise.resolve(keys.map((key) => key * 2));
  }
}

let app: INestApplication;
let client: McpTestClient;
let tenancy: Tenancy;
let lifecycle: TenantLifecycle;

beforeAll(async () => {
  const mcp = McpModule.forRoot({ name: 'spec' });
  const imports = [tenants, TenantLifecycleModule.forRoot(steps), mcp];
  app = await createApp({ imports }, express.adapter());
  client = await createMcpTestClient(app);
  tenancy = app.get(Tenancy);
  lifecycle = app.get(TenantLifecycle);
});
afterAll(closeAll);

/** The entries of each table, by the type of its options. */
const ENTRIES: Readonly<Record<string, readonly Entry[]>> = {
  ContextModuleOptions: [module('ContextModule.forRoot', (given) => ContextModule.forRoot(given))],
  HttpContextDecoratorOptions: [
    { call: 'defineHttpContextDecorator', pass: (given) => defineHttpContextDecorator(given) },
  ],
  'AdapterDefinition<object, unknown>': [
    module('defineAdapter', (given) => defineAdapter(given)()),
    module('definePlugin', (given) => definePlugin(given)()),
  ],
  PluginHooks: [
    module('build of defineAdapter', (given) => defineAdapter({ name: 'A', build: () => given })()),
    module('build of definePlugin', (given) => definePlugin({ name: 'P', build: () => given })()),
  ],
  CollectOptions: [
    {
      call: 'IntrospectionRegistry.collect',
      pass: (given) => new IntrospectionRegistry().collect(given),
    },
  ],
  CallObserverOptions: [
    {
      call: 'CallObservers.subscribe',
      pass: (given) => new CallObservers().subscribe(() => undefined, given),
    },
  ],
  EventStreamOptions: [
    { call: 'new EventStream', pass: (given) => new EventStream({} as never, given) },
  ],
  'LoaderOptions<unknown, unknown>': [
    { call: 'ContextLoader', pass: (given) => new Doubles(given) },
  ],
  PanelOptions: [module('PanelModule.forRoot', (given) => PanelModule.forRoot(given))],
  'QueryOptions<OptInOperator>': [
    { call: 'parseQuery', pass: (given) => parseQuery({}, undefined, given) },
    { call: 'compileQuery', pass: (given) => compileQuery(undefined, given) },
  ],
  CursorScope: [
    { call: 'encodeCursor', pass: (given) => encodeCursor([], [], secret, given) },
    { call: 'decodeCursor', pass: (given) => decodeCursor(undefined, [], secret, given) },
  ],
  KeysetOptions: [
    { call: 'keysetPage', pass: (given) => keysetPage({ sort: [] }, given) },
    {
      call: 'buildKeyset',
      pass: (given) =>
        memoryAdapter.buildKeyset(
          parseQuery({}),
          { columns: { id: 'integer' }, primaryKey: 'id' },
          given,
        ),
    },
  ],
  TypeOrmAdapterOptions: [
    { call: 'typeOrmAdapter', pass: (given) => typeOrmAdapter({} as never, given) },
  ],
  ExportOptions: [
    {
      call: 'exportPages',
      pass: (given) => exportPages(() => ({ data: [], cursorOf: () => '' }), parseQuery({}), given),
    },
  ],
  PaginatedOptions: [
    {
      call: '@Paginated',
      pass: (given) => Paginated(class Note {}, given)(class {}, 'list', {}),
    },
  ],
  QueryModuleOptions: [module('QueryModule.forRoot', (given) => QueryModule.forRoot(given))],
  TenantAdapterOptions: [
    {
      ...module('TenantModule.forRoot', (given) => TenantModule.forRoot(given), {
        strategy: 'header',
      }),
      kinds: {
        strategy: ['header', 'query', 'subdomain', 'path', 'function'].map((type) => ({ type })),
      },
    },
  ],
  TenantProvider: [
    module('TenantModule.forFeature', (given) => TenantModule.forFeature([given]), {}, [tenants]),
  ],
  'TenantCacheWrapOptions<unknown>': [
    {
      call: 'TenantCache.wrap',
      pass: (given) => new TenantCache({} as never).wrap('plan', () => 'free', given),
    },
  ],
  ForEachOptions: [
    { call: 'Tenancy.forEach', pass: (given) => tenancy.forEach([], () => undefined, given) },
  ],
  TenantMetricLabelOptions: [
    { call: 'tenantMetricLabel', pass: (given) => tenantMetricLabel(given) },
  ],
  'TenantConnectionOptions<object>': [
    module('TenantConnectionsModule', (given) => TenantConnectionsModule.forRoot(given)),
  ],
  TenantImpersonationOptions: [
    module(
      'TenantImpersonationModule.forRoot',
      (given) => TenantImpersonationModule.forRoot(given),
      {},
      [tenants],
    ),
  ],
  // TenantRabbitModule reads them by the same function, but Jest cannot load @golevelup/nestjs-rabbitmq.
  TenantMicroservicesOptions: [
    module('TenantMicroservicesModule', (given) => TenantMicroservicesModule.forRoot(given)),
  ],
  TenantSocketsOptions: [
    module('TenantSocketsModule', (given) => TenantSocketsModule.forRoot(given)),
  ],
  TenantLifecycleOptions: [
    module('TenantLifecycleModule', (given) => TenantLifecycleModule.forRoot(given), steps, [
      tenants,
    ]),
  ],
  TenantRunOptions: [
    { call: 'TenantLifecycle.migrate', pass: (given) => lifecycle.migrate(given) },
    { call: 'TenantLifecycle.seed', pass: (given) => lifecycle.seed(given) },
    { call: 'TenantLifecycle.run', pass: (given) => lifecycle.run('count', given) },
  ],
  TenantCreateOptions: [
    {
      call: 'TenantLifecycle.create',
      pass: (given) => lifecycle.create({ tenantId: 'acme' }, given),
    },
  ],
  "Pick<TenantRunOptions, 'onOutcome' | 'onLog'>": [
    { call: 'TenantLifecycle.remove', pass: (given) => lifecycle.remove('acme', given) },
  ],
  TenantStatusOptions: [
    { call: 'TenantLifecycle.status', pass: (given) => lifecycle.status(given) },
  ],
  RlsSqlOptions: [{ call: 'rlsSql', pass: (given) => rlsSql(['note'], given) }],
  RlsAuditOptions: [{ call: 'auditRls', pass: (given) => auditRls(query, given) }],
  TenantRlsOptions: [module('TenantRlsModule.forRoot', (given) => TenantRlsModule.forRoot(given))],
  TenantBinding: [{ call: 'bindTenant', pass: (given) => bindTenant(query, given) }],
  MariadbSqlOptions: [
    {
      call: 'mariadbSql',
      pass: (given) => mariadbSql(['note'], given),
      valid: { tablesIn: 'shop', viewsIn: 'shop_app' },
    },
  ],
  MariadbAuditOptions: [{ call: 'auditMariadb', pass: (given) => auditMariadb(query, given) }],
  RedisInvalidationOptions: [
    { call: 'redisInvalidations', pass: (given) => redisInvalidations(given) },
  ],
  TenantPluginOptions: [{ call: 'tenantPlugin', pass: (given) => tenantPlugin(given) }],
  GuardTenantsOptions: [
    { call: 'guardTenants', pass: (given) => guardTenants({ driver: class {} }, given) },
  ],
  GuardConnectionOptions: [
    { call: 'guardConnection', pass: (given) => guardConnection({} as never, given) },
  ],
  TenantLeakOptions: [
    { call: 'expectNoTenantLeak', pass: (given) => expectNoTenantLeak({} as never, given) },
  ],
  GraphqlMountOptions: [
    module('GraphqlMountModule.forRoot', (given) => GraphqlMountModule.forRoot(given), { schema }),
  ],
  GraphqlMountStatics: [
    module('GraphqlMountModule.forRootAsync', (given) => GraphqlMountModule.forRootAsync(given), {
      useFactory: () => ({ schema }),
    }),
  ],
  GraphqlSubscriptionsOptions: [
    module(
      'GraphqlSubscriptionsModule.forRoot',
      (given) => GraphqlSubscriptionsModule.forRoot(given),
      { schema },
    ),
  ],
  ApolloSubscriptionsOptions: [
    module('forApollo', (given) => GraphqlSubscriptionsModule.forApollo(given)),
    module('forMercurius', (given) => GraphqlSubscriptionsModule.forMercurius(given)),
  ],
  GraphqlApolloOptions: [
    module('GraphqlApolloModule.forRoot', (given) => GraphqlApolloModule.forRoot(given)),
  ],
  GraphqlMercuriusOptions: [
    module('GraphqlMercuriusModule.forRoot', (given) => GraphqlMercuriusModule.forRoot(given)),
  ],
  GraphqlHttpOptions: [{ call: 'graphqlHttp', pass: (given) => graphqlHttp(given) }],
  YogaOptions: [{ call: 'yoga', pass: (given) => yoga(given) }],
  McpCoreOptions: [{ ...mcpModule, kinds: { auth: [{ type: 'bearer' }, { type: 'oidc' }] } }],
  McpCoreEndpointOptions: [
    { ...mcpEndpoint, kinds: { auth: [{ type: 'bearer' }, { type: 'oidc' }] } },
  ],
  CacheOption: [mcpModule, mcpEndpoint],
  CheckOption: [mcpModule],
  EntryDetails: [mcpTool, mcpResource, mcpPrompt],
  ToolNamesOption: [mcpModule, mcpEndpoint],
  SearchOption: [mcpModule, mcpEndpoint],
  ResultOption: [mcpModule],
  PagesOption: [mcpModule],
  TasksOption: [mcpModule],
  AuditOption: [mcpModule],
  TelemetryOption: [mcpModule],
  ServersOption: [mcpModule],
  WritesOption: [mcpModule],
  HiddenCharactersOption: [mcpModule],
  McpSdkServerOptions: [
    module('servers', (given) => McpModule.forRoot({ name: 'spec', servers: [given] }), {
      server: { connect: () => Promise.resolve(), close: () => Promise.resolve() },
    }),
  ],
  McpSourceTool: [
    module(
      'a source of tools',
      (tool) => McpModule.forRoot({ name: 'spec', toolSources: [{ tools: () => [tool] }] }),
      {
        name: 'rpc',
        description: 'Calls a procedure',
        place: 'rpc.ts',
        inputSchema: { type: 'object' },
        request: { method: 'POST', path: '/rpc' },
      },
    ),
  ],
  'RedisSessionOptions & RedisTaskOptions & RedisWriteOptions': [
    { call: 'redisSessions', pass: (given) => redisSessions(given) },
    { call: 'redisTasks', pass: (given) => redisTasks(given) },
    { call: 'redisWrites', pass: (given) => redisWrites(given) },
  ],
  McpTestClientOptions: [
    { call: 'createMcpTestClient', pass: (given) => createMcpTestClient(app, given) },
  ],
  DirectRequest: [
    { call: 'expectSameAsHttp', pass: (given) => client.expectSameAsHttp('none', {}, given) },
  ],
  McpCoreToolOptions: [mcpTool],
  HeadersToolOption: [mcpTool],
  PageToolOption: [mcpTool],
  ResultToolOption: [mcpTool],
  SelectToolOption: [mcpTool],
  TaskToolOption: [mcpTool],
  WriteToolOptions: [mcpTool],
  McpCoreResourceOptions: [mcpResource],
  PageResourceOption: [mcpResource],
  McpCorePromptOptions: [mcpPrompt],
  GraphqlOperationsOptions: [
    {
      call: 'graphqlOperations',
      pass: (given) => graphqlOperations(given),
      valid: { files: 'src/tools' },
    },
  ],
  OauthBridgeOptions: [
    module('OauthBridgeModule.forRoot', (given) => OauthBridgeModule.forRoot(given), {
      issuer: 'https://api.example.com/oauth',
      resources: ['https://api.example.com/_mcp/messages'],
      secrets: [secret],
      upstream: {
        name: 'Hub',
        issuer: 'https://hub.example',
        clientId: 'a',
        clientSecret: 'b',
      },
    }),
  ],
  RedisBridgeStoreOptions: [{ call: 'redisBridgeStore', pass: (given) => redisBridgeStore(given) }],
};

/** Why an interface of options has no table. */
const NO_TABLE: Readonly<Record<string, string>> = {
  AgGridOptions: 'is read in browsers, which would load the tables',
  GraphQlPluginOptions: 'is a part of GraphqlMountOptions, whose table reads it',
  JsonBodyOptions:
    'is written by packages that build on core, and would be checked for each request',
  RefineOptions: 'is read in browsers, which would load the tables',
  TanStackTableOptions: 'is read in browsers, which would load the tables',
};

const tables = findTables();
const roots = Object.keys(ENTRIES);
const tableOf = (type: string) =>
  tables.find(({ type: { node } }) => node.getText().replace(/\s+/g, ' ') === type);
const reached = new Set<string>();

describe.each(roots)('%s', (type) => {
  const table = tableOf(type);
  it('has a table', () => expect(table?.name).toBeDefined());
  if (table === undefined) return;
  for (const { call, pass, valid = {}, kinds = {} } of ENTRIES[type]!) {
    it.each(
      groupsIn(table).map((group) => [group.path.join('.') || 'its options', group] as const),
    )(`${call} refuses a misspelled name in %s`, async (_, { path, names }) => {
      for (const name of names) {
        const wrong = misspelled(name, path.length === 0 ? namesAccepted(call) : names);
        const said: string[] = [];
        for (const given of shapesOf(path, { valid, kinds }, wrong)) {
          said.push(await messageOf(() => pass(given as never)));
          if (said.at(-1)?.includes(`Did you mean ${name}?`)) break;
        }
        expect(said).toContainEqual(expect.stringContaining(`Did you mean ${name}?`));
      }
    });
  }
});

it('each table is reached by an entry', () => {
  expect(tables.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
});

it('each interface of options has a table, or a reason to have none', () => {
  const read = new Set(tables.flatMap(({ type }) => [...namesIn(type)]));
  const names = new Set(publicOptions());
  expect([...names].filter((name) => !read.has(name)).toSorted()).toEqual(Object.keys(NO_TABLE));
});

/** The names of exported interfaces in the reports of public types, such as `PanelOptions`. */
function publicOptions(): string[] {
  const folder = join(root, 'api');
  return readdirSync(folder).flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/^export interface (\w+Options)\b/gm),
    ].map(([, found]) => found!),
  );
}

/** Options in an object: those of a table, or of a group in it. */
interface Group {
  readonly path: readonly string[];
  readonly names: readonly string[];
}

function groupsIn(table: FoundTable, path: readonly string[] = []): Group[] {
  for (const { name } of [table, ...spreadIn(table)]) reached.add(name);
  const rules = rulesOf(table);
  const nested = [...rules].flatMap(([name, rule]) =>
    tablesIn(rule).flatMap((inner) => groupsIn(inner, [...path, name])),
  );
  return [{ path, names: [...rules.keys()] }, ...nested];
}

/** Options with a wrong name in a group, which may stand in an object, in a list or in a record. */
function shapesOf(
  [name, ...path]: readonly string[],
  { valid, kinds }: Required<Pick<Entry, 'valid' | 'kinds'>>,
  wrong: string,
): object[] {
  if (name === undefined) return [{ ...valid, [wrong]: 1 }];
  const given = (valid as Readonly<Record<string, unknown>>)[name];
  const complete = kinds[name] ?? [typeof given === 'object' && given !== null ? given : {}];
  return complete
    .flatMap((inner) => shapesOf(path, { valid: inner, kinds }, wrong))
    .flatMap((value) => [value, [value], { any: value }])
    .map((shape) => ({ ...valid, [name]: shape }));
}

/** The names that a call accepts at its top level, those of extensions included. */
function namesAccepted(call: string): readonly string[] {
  return roots
    .filter((type) => ENTRIES[type]!.some((entry) => entry.call === call))
    .flatMap((type) => groupsIn(tableOf(type)!).filter(({ path }) => path.length === 0))
    .flatMap(({ names }) => names);
}

/** A name with two letters swapped, one left out or one doubled, that is nearer to no other name. */
function misspelled(name: string, names: readonly string[]): string {
  const changes = [...name].flatMap((letter, at) => {
    const [before, behind] = [name.slice(0, at), name.slice(at + 1)];
    return [
      before + behind.slice(0, 1) + letter + behind.slice(1),
      before + behind,
      before + letter + letter + behind,
    ];
  });
  const others = names.filter((other) => other !== name);
  const clear = changes.filter(
    (wrong) => wrong !== name && wrong !== '' && !others.some((other) => isNear(wrong, other)),
  );
  return fc.sample(fc.constantFrom(...clear), 1)[0]!;
}

/** Whether a letter put in, left out or replaced makes one name of the other. */
function isNear(a: string, b: string): boolean {
  const without = (text: string) => [
    text,
    ...[...text].map((_, at) => text.slice(0, at) + text.slice(at + 1)),
  ];
  return without(a).some((left) => without(b).includes(left));
}

async function messageOf(pass: () => unknown): Promise<string> {
  try {
    await pass();
    return 'No error';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
