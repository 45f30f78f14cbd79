// The tenant in records and traces of tool calls, and the spans of tenancy and GraphQL: only whole applications show it.
import { GraphqlMountModule, graphqlHttp } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { type McpCallRecord, McpModule, McpTool } from '@fledge/mcp';
import { TenantModule } from '@fledge/tenant';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Controller, Get } from '@nestjs/common';
import { SpanStatusCode } from '@opentelemetry/api';
import { call, closeAll, platforms, post, serve } from './support/platforms.js';
import { recordSpans } from './support/record-spans.js';

@Controller('notes')
class NotesController {
  @Get()
  @McpTool({ name: 'notes', description: 'Lists notes' })
  list() {
    return [];
  }
}

const exporter = recordSpans();

afterEach(async () => {
  await closeAll();
});

const spanOf = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);

describe.each(platforms)('an observed request on $name', (platform) => {
  it('has its tenant in the record and the span of a tool call, and a span for finding it', async () => {
    const records: McpCallRecord[] = [];
    const { url } = await serve(
      {
        imports: [
          TenantModule.forRoot({ strategy: 'header' }),
          McpModule.forRoot({
            name: 'spec',
            audit: { onCall: (record) => void records.push(record) },
          }),
        ],
        controllers: [NotesController],
      },
      platform,
    );
    const client = new Client({ name: 'spec', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/_mcp/messages`), {
        requestInit: { headers: { 'x-tenant-id': 'acme' } },
      }),
    );
    exporter.reset();
    await client.callTool({ name: 'notes' });
    await client.close();
    expect(records).toMatchObject([{ name: 'notes', tenant: { id: 'acme', source: 'header' } }]);
    const tool = spanOf('tools/call notes');
    const found = exporter
      .getFinishedSpans()
      .find(({ parentSpanContext }) => parentSpanContext?.spanId === tool?.spanContext().spanId);
    const tenant = { 'tenant.id': 'acme', 'tenant.source': 'header' };
    expect(tool?.attributes).toMatchObject(tenant);
    expect(found).toMatchObject({ name: 'resolve tenant', attributes: tenant });
  });

  it.each([
    ['graphqlHttp()', graphqlHttp],
    ['yoga()', yoga],
  ])('has a span for a GraphQL operation with %s', async (_, runtime) => {
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { hello: String fails: String }',
            rootValue: {
              hello: () => 'world',
              fails: () => {
                throw new Error('broken');
              },
            },
            runtime: runtime(),
          }),
        ],
      },
      platform,
    );
    await call(`${url}/graphql`, post({ query: 'query Greet { hello }' }));
    expect(spanOf('query')).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'graphql.operation.type': 'query', 'graphql.operation.name': 'Greet' },
    });
    exporter.reset();
    await call(`${url}/graphql`, post({ query: '{ fails }' }));
    expect(spanOf('query')).toMatchObject({
      status: { code: SpanStatusCode.ERROR, message: 'broken' },
      attributes: { 'error.type': 'GraphQLError' },
    });
  });
});
