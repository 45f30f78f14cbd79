// One handler behind a shared connection, as a route, as a resolver and as a tool.
import { McpModule, McpTool } from '@fledge/mcp';
import { createMcpTestClient } from '@fledge/mcp/testing';
import { GraphqlContextFactory, GraphqlApolloModule } from '@fledge/graphql/apollo';
import { CurrentTenant, type TenantContext, TenantModule } from '@fledge/tenant';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Controller, Get, Injectable, Module, Sse } from '@nestjs/common';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { filter, map, mergeMap, of, Subject, take } from 'rxjs';
import { closeAll, platforms, serve } from './support/platforms.js';
import { currentTenantId } from './support/served-tenants.js';

afterEach(closeAll);

/** Answers all requests in the context of the one that asked first. */
@Injectable()
class SharedConnection {
  private readonly answers = new Subject<number>();
  private readonly waiting: number[] = [];
  private opened: NodeJS.Timeout | undefined;
  private count = 0;

  ask() {
    const id = (this.count += 1);
    this.waiting.push(id);
    this.opened ??= setInterval(() => {
      const next = this.waiting.shift();
      if (next !== undefined) this.answers.next(next);
    }, 1).unref();
    return this.answers.pipe(
      filter((answered) => answered === id),
      take(1),
    );
  }
}

@Controller()
class NotesController {
  constructor(private readonly connection: SharedConnection) {}

  @Get('notes')
  @McpTool({ name: 'list_notes', description: 'Lists notes' })
  list(@CurrentTenant() { tenantId }: TenantContext) {
    return this.connection.ask().pipe(map(() => [tenantId, currentTenantId()]));
  }

  @Sse('events')
  events(@CurrentTenant() { tenantId }: TenantContext) {
    return of(1, 2).pipe(
      mergeMap(() => this.connection.ask()),
      map(() => ({ data: [tenantId, currentTenantId()] })),
    );
  }
}

@Resolver()
class NotesResolver {
  constructor(private readonly connection: SharedConnection) {}

  @Query(() => [String])
  notes(@CurrentTenant() { tenantId }: TenantContext) {
    return this.connection.ask().pipe(map(() => [tenantId, currentTenantId()]));
  }
}

@Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header' }),
    McpModule.forRoot({ name: 'spec', sessions: { max: 10 } }),
    GraphqlApolloModule.forRoot(),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      context: GraphqlContextFactory.create,
    }),
  ],
  controllers: [NotesController],
  providers: [SharedConnection, NotesResolver],
})
class AppModule {}

const tenants = ['first', 'a', 'b', 'c', 'a', 'b', 'c'];

describe.each(platforms)('behind a shared connection on $name', (platform) => {
  const answersOf = async (url: string, init: (tenant: string) => RequestInit, path: string) =>
    Promise.all(
      tenants.map(async (tenant) => {
        const { headers, ...rest } = init(tenant);
        const response = await fetch(`${url}/${path}`, {
          ...rest,
          headers: { 'x-tenant-id': tenant, ...(headers as object) },
        });
        return response.text();
      }),
    );

  it('a route and its events work for their tenant', async () => {
    const { url } = await serve(AppModule, platform);
    expect(await answersOf(url, () => ({}), 'notes')).toEqual(
      tenants.map((tenant) => JSON.stringify([tenant, tenant])),
    );
    for (const [i, text] of (await answersOf(url, () => ({}), 'events')).entries()) {
      const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, value]) => JSON.parse(value!));
      expect(data).toEqual([1, 2].map(() => [tenants[i], tenants[i]]));
    }
  });

  it('a resolver works for its tenant', async () => {
    const { url } = await serve(AppModule, platform);
    const init = () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ notes }"}',
    });
    expect(await answersOf(url, init, 'graphql')).toEqual(
      tenants.map((tenant) => expect.stringContaining(`{"notes":["${tenant}","${tenant}"]}`)),
    );
  });

  it('a tool works for its caller', async () => {
    const { app } = await serve(AppModule, platform);
    const results = await Promise.all(
      tenants.map(async (tenant) => {
        const client = await createMcpTestClient(app, { headers: { 'x-tenant-id': tenant } });
        const result = await client.callTool('list_notes');
        await client.close();
        return JSON.stringify(result);
      }),
    );
    expect(results).toEqual(
      tenants.map((tenant) =>
        expect.stringContaining(JSON.stringify(`["${tenant}","${tenant}"]`).slice(1, -1)),
      ),
    );
  });
});
