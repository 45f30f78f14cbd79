// Who acts in a tenant is known in tool calls, GraphQL operations and events too, which mcp and graphql hand on
// without knowing of impersonation.
import { GraphqlMountModule } from '@fledge/graphql';
import { McpModule, McpTool } from '@fledge/mcp';
import { Tenancy, TenantModule } from '@fledge/tenant';
import { TenantImpersonation, TenantImpersonationModule } from '@fledge/tenant/impersonation';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client as SessionClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as SessionTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { call, closeAll, platforms, post, serve } from './support/platforms.js';

const HEADER = 'x-tenant-impersonation';

@Controller()
class WhoController {
  constructor(private readonly tenancy: Tenancy) {}

  @Get('who')
  @McpTool({ name: 'who', description: 'Tells who acts' })
  who() {
    const { tenantId, impersonatedBy = 'nobody' } = this.tenancy.current();
    return { who: `${impersonatedBy} in ${tenantId}` };
  }
}

const who = (): string => {
  const { tenantId, impersonatedBy = 'nobody' } = app.get(Tenancy).current();
  return `${impersonatedBy} in ${tenantId}`;
};

async function* acting() {
  yield await Promise.resolve({ acting: who() });
}

let app: INestApplication;

describe.each(platforms)('an impersonation on $name', (platform) => {
  let url: string;

  async function start(): Promise<void> {
    ({ app, url } = await serve(
      {
        imports: [
          TenantModule.forRoot({ strategy: 'header' }),
          TenantImpersonationModule.forRoot({
            secrets: ['a secret of more than thirty-two bytes'],
          }),
          McpModule.forRoot({ name: 'spec', sessions: { max: 10 } }),
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { who: String! } type Subscription { acting: String! }',
            rootValue: { who, acting },
            subscriptions: {},
          }),
        ],
        controllers: [WhoController],
      },
      platform,
      undefined,
      { forceCloseConnections: true },
    ));
  }
  afterEach(closeAll);

  /** The headers of a request that sam@support makes in a tenant. */
  async function headersIn(tenant: string): Promise<Record<string, string>> {
    const impersonation = app.get(TenantImpersonation);
    const code = await impersonation.issue({ tenant, by: 'sam@support', reason: 'ticket 7' });
    const { session } = await app.get(Tenancy).run(tenant, () => impersonation.redeem(code));
    return { 'x-tenant-id': tenant, [HEADER]: session };
  }

  const tools = async (headers: Record<string, string>) => {
    const endpoint = new URL(`${url}/_mcp/messages`);
    const modern = new Client(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await modern.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
    const session = new SessionClient({ name: 'spec', version: '1.0.0' });
    await session.connect(new SessionTransport(endpoint, { requestInit: { headers } }));
    const texts = await Promise.all(
      [modern, session].map(async (client) =>
        JSON.stringify(await client.callTool({ name: 'who' })),
      ),
    );
    await Promise.all([modern.close(), session.close()]);
    return texts;
  };

  it('is seen by the tools it calls, and by those of nobody else', async () => {
    await start();
    const sam = await headersIn('acme');
    const [own, others] = await Promise.all([tools(sam), tools({ 'x-tenant-id': 'acme' })]);
    for (const text of own) expect(text).toContain('sam@support in acme');
    for (const text of others) expect(text).toContain('nobody in acme');
  });

  it('calls no tools of another tenant', async () => {
    await start();
    const { [HEADER]: session = '' } = await headersIn('acme');
    const refused = tools({ 'x-tenant-id': 'globex', [HEADER]: session });
    const texts = await refused.catch((error: Error) => [error.message]);
    for (const text of texts) {
      expect(text).not.toContain('in globex');
      expect(text).toMatch(/impersonation|403/i);
    }
  });

  it('is seen by operations over HTTP, and by events over a socket', async () => {
    await start();
    const headers = await headersIn('acme');
    const request = post({ query: '{ who }' });
    const sent = { ...request, headers: { ...request.headers, ...headers } };
    expect((await call(`${url}/graphql`, sent)).body).toEqual({
      data: { who: 'sam@support in acme' },
    });
    class Socket extends WebSocket {
      constructor(address: string, protocol: string) {
        super(address, protocol, { headers });
      }
    }
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: Socket,
      retryAttempts: 0,
    });
    const { value } = await client.iterate({ query: 'subscription { acting }' }).next();
    expect(value).toEqual({ data: { acting: 'sam@support in acme' } });
    await client.dispose();
  });
});
