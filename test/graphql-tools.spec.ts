// Mounts of @fledge/graphql whose operations are tools of @fledge/mcp, with tenants. The packages do not import
// each other: core carries the schema.
import { GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { McpAdapter, type McpCallRecord, McpModule } from '@fledge/mcp';
import { graphqlOperations } from '@fledge/mcp/graphql';
import { createMcpTestClient, type McpTestClient } from '@fledge/mcp/testing';
import { PanelModule, type PanelState } from '@fledge/panel';
import { TENANT_CONTEXT, type TenantContext, TenantModule } from '@fledge/tenant';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { buildSchema, GraphQLError, type ValidationRule } from 'graphql';
import { createHash } from 'node:crypto';
import { call, closeAll, createApp, platforms, type Platform } from './support/platforms.js';

const files = new URL('./graphql-tools/tools', import.meta.url).pathname;
const typeDefs = `
  type Query { notes: [String!]! }
  type Mutation { addNote(text: String!): Int }`;

type Mounted = Partial<GraphqlMountOptions>;

const records: McpCallRecord[] = [];
const notes = new Map<string, string[]>();

const rootValue: NonNullable<GraphqlMountOptions['rootValue']> = (container) => {
  const tenant = container.get<TenantContext>(TENANT_CONTEXT);
  const own = () => notes.get(tenant.tenantId) ?? [];
  return {
    notes: own,
    addNote({ text }: { text: string }) {
      if (text === '') throw new GraphQLError('Empty', { extensions: { code: 'EMPTY' } });
      return notes.set(tenant.tenantId, [...own(), text]).get(tenant.tenantId)?.length;
    },
  };
};

async function start(
  { adapter }: Platform,
  mount: Mounted = {},
  prefix?: string,
  schema?: string,
): Promise<INestApplication> {
  notes.clear();
  records.length = 0;
  const app = await createApp(
    {
      imports: [
        TenantModule.forRoot({ strategy: 'header' }),
        GraphqlMountModule.forRoot({ typeDefs, rootValue, ...mount }),
        PanelModule.forRoot(),
        McpModule.forRoot({
          name: 'notes',
          sessions: { max: 9 },
          audit: { onCall: (record) => void records.push(record) },
          toolSources: [graphqlOperations({ files, mutations: 'all', ...(schema && { schema }) })],
        }),
      ],
    },
    adapter(),
  );
  if (prefix !== undefined) app.setGlobalPrefix(prefix);
  await app.listen(0, '127.0.0.1');
  return app;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const LIST = 'query ListNotes {\n  notes\n}';

describe.each(platforms)('operations of a mount as tools on $name', (platform) => {
  describe.each<[string, Mounted]>([
    ['graphql-http', {}],
    ['yoga', { runtime: yoga() }],
    ['graphql-http as a route', { mountAs: 'route' }],
    [
      'a schema from a function',
      { typeDefs: undefined as never, schema: () => buildSchema(typeDefs) },
    ],
  ])('with %s', (_, mount) => {
    it.each(['2025-11-25', '2026-07-28'] as const)('keep tenants apart: %s', async (era) => {
      const app = await start(platform, mount);
      const clients = await Promise.all(
        ['acme', 'globex'].map((tenant) =>
          createMcpTestClient(app, { era, headers: { 'x-tenant-id': tenant } }),
        ),
      );
      const [acme, globex] = clients as [McpTestClient, McpTestClient];
      await acme.callTool('AddNote', { text: 'of acme' });
      await globex.callTool('AddNote', { text: 'of globex' });
      const lists = await Promise.all(
        Array.from({ length: 20 }, (_item, i) => (i % 2 ? globex : acme).callTool('ListNotes')),
      );
      expect(lists.map(dataOf)).toEqual(
        lists.map((_list, i) => ({ notes: [i % 2 ? 'of globex' : 'of acme'] })),
      );
      expect(records).toHaveLength(22);
      expect(records.slice(0, 2)).toMatchObject([
        { name: 'AddNote', tenant: { id: 'acme' }, outcome: 'ok', arguments: { text: 'of acme' } },
        { name: 'AddNote', tenant: { id: 'globex' }, outcome: 'ok' },
      ]);
      await Promise.all(clients.map((client) => client.close()));
    });
  });

  it('have the answer of a direct request', async () => {
    const app = await start(platform);
    const client = await createMcpTestClient(app, { headers: { 'x-tenant-id': 'acme' } });
    const body = { query: LIST, operationName: 'ListNotes', variables: {} };
    await client.expectSameAsHttp('ListNotes', {}, { method: 'POST', path: '/graphql', body });
    const failed = await client.callTool('AddNote', { text: '' });
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: { error: { status: 294, code: 'EMPTY' } },
    });
    await client.close();
  });

  it('have the error of a request that is refused before its operation', async () => {
    const app = await start(platform);
    const client = await createMcpTestClient(app);
    const refused = await client.callTool('ListNotes');
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { status: 400 } } });
    await client.close();
  });

  it('have the path of the mount below the global prefix, and are shown in the panel', async () => {
    const app = await start(platform, { path: '/api/gql' }, 'v1');
    const tools = app.get(McpAdapter).getTools();
    expect(tools.map(({ name, mountPath }) => [name, mountPath])).toEqual([
      ['AddNote', '/v1/api/gql'],
      ['ListNotes', '/v1/api/gql'],
    ]);
    const client = await createMcpTestClient(app, { headers: { 'x-tenant-id': 'acme' } });
    expect(dataOf(await client.callTool('ListNotes'))).toEqual({ notes: [] });
    await client.close();

    const { body } = await call(`${await app.getUrl()}/v1/_fledge/api/state`);
    const { tools: shown } = body as PanelState;
    expect(shown.installed && shown.tools[1]).toMatchObject({
      name: 'ListNotes',
      verb: 'POST',
      path: '/v1/api/gql',
      handler: 'test/graphql-tools/tools/notes.graphql:2:1',
      request: {
        members: { query: LIST, operationName: 'ListNotes' },
        argumentsIn: 'variables',
      },
    });
  });
});

describe.each(platforms)('operations of a mount with trusted documents on $name', (platform) => {
  const manifest = { known: 'query Known { notes }' };

  it.each<[string, Mounted]>([
    ['graphql-http', {}],
    ['yoga', { runtime: yoga() }],
  ])('are tools, and remain the only documents beside the manifest: %s', async (_, mount) => {
    const app = await start(platform, { ...mount, documents: 'trusted', manifest });
    const client = await createMcpTestClient(app, { headers: { 'x-tenant-id': 'acme' } });
    expect(dataOf(await client.callTool('AddNote', { text: 'one' }))).toEqual({ addNote: 1 });
    expect(dataOf(await client.callTool('ListNotes'))).toEqual({ notes: ['one'] });
    await client.close();

    const url = `${await app.getUrl()}/graphql`;
    const send = (body: object) =>
      call(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tenant-id': 'acme' },
        body: JSON.stringify(body),
      });
    expect((await send({ documentId: 'known' })).body).toEqual({ data: { notes: ['one'] } });
    const refused = [
      { query: LIST },
      { query: LIST, documentId: 'own:' },
      { documentId: 'ListNotes' },
      { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(LIST) } } },
    ];
    for (const body of refused) expect((await send(body)).status).toBe(400);
  });

  it('are tools if the schema is passed too', async () => {
    const app = await start(platform, { documents: 'trusted', manifest }, undefined, typeDefs);
    const client = await createMcpTestClient(app, { headers: { 'x-tenant-id': 'acme' } });
    expect(dataOf(await client.callTool('ListNotes'))).toEqual({ notes: [] });
    await client.close();
  });
});

describe('the boot fails for an operation that the mount would refuse', () => {
  const noMutations: ValidationRule = (context) => ({
    Field: (node) => {
      if (node.name.value !== 'addNote') return;
      context.reportError(new GraphQLError('addNote is closed', { nodes: node }));
    },
  });

  it.each<[string, Mounted]>([
    ['add-note.graphql:2:1: addNote is closed', { validationRules: [noMutations] }],
    ['notes.graphql:2:1: Syntax Error: Document contains more that 4 tokens', { maxTokens: 4 }],
  ])('%s', async (message, mount) => {
    await expect(start(platforms[0]!, mount)).rejects.toThrow(message);
  });

  it('by its rules only: rules that need variables run with each call', async () => {
    const operationRules: GraphqlMountOptions['operationRules'] = ({ variables }) => [
      (context) => ({
        Field: (node) => {
          if (node.name.value === 'addNote' && variables?.['text'] !== 'allowed') {
            context.reportError(new GraphQLError('Refused by the mount'));
          }
        },
      }),
    ];
    const app = await start(platforms[0]!, { operationRules });
    const client = await createMcpTestClient(app, { headers: { 'x-tenant-id': 'acme' } });
    expect(await client.callTool('AddNote', { text: 'other' })).toMatchObject({ isError: true });
    expect(dataOf(await client.callTool('AddNote', { text: 'allowed' }))).toEqual({ addNote: 1 });
    await client.close();
  });
});

function dataOf({ content }: Awaited<ReturnType<McpTestClient['callTool']>>): unknown {
  const [block] = content;
  return block?.type === 'text' ? (JSON.parse(block.text) as { data: unknown }).data : undefined;
}

afterEach(closeAll);
