// A tenant told by the URL of the MCP endpoint reaches the routes behind its tools; what tells it is
// never the arguments of a tool.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpModule, McpTool } from '@fledge/mcp';
import {
  CurrentTenant,
  type TenantAdapterOptions,
  type TenantContext,
  TenantModule,
} from '@fledge/tenant';
import { closeNow } from './support/close-now.js';
import { platforms } from './support/platforms.js';

@Controller()
class TasksController {
  @Get('tasks/list')
  @McpTool({ name: 'list', description: 'Lists tasks' })
  list(@CurrentTenant() { tenantId }: TenantContext, @Query('tenant') asked?: string) {
    return { tenantId, handler: 'list', asked: asked ?? null };
  }

  @Get('list')
  other() {
    return { handler: 'another' };
  }
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

describe.each(platforms)('on $name', ({ adapter }) => {
  async function tool(options: TenantAdapterOptions, path: string, args: object) {
    @Module({
      imports: [TenantModule.forRoot(options), McpModule.forRoot({ name: 'tasks' })],
      controllers: [TasksController],
    })
    class AppModule {}
    const app = await NestFactory.create(AppModule, adapter(), { logger: false });
    open.push(() => closeNow(app));
    await app.listen(0, '127.0.0.1');
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(path, await app.getUrl())));
    open.push(() => client.close());
    const { content } = await client.callTool({ name: 'list', arguments: { ...args } });
    return JSON.parse((content as { text: string }[])[0]!.text) as object;
  }

  it('a stripped path of the endpoint tells the tenant of its tools', async () => {
    const strip: TenantAdapterOptions = { strategy: 'path', path: { strip: true } };
    expect(await tool(strip, '/acme/_mcp/messages', {})).toEqual({
      tenantId: 'acme',
      handler: 'list',
      asked: null,
    });
  });

  it('a query of the endpoint does, whatever the arguments say', async () => {
    const query: TenantAdapterOptions = { strategy: 'query' };
    expect(await tool(query, '/_mcp/messages?tenant=acme', { tenant: 'beta' })).toEqual({
      tenantId: 'acme',
      handler: 'list',
      asked: 'beta',
    });
    expect(await tool(query, '/_mcp/messages', { tenant: 'beta' })).toMatchObject({
      statusCode: 400,
      code: 'TENANT_NOT_RESOLVED',
    });
  });
});
