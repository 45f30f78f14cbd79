// A dry run starts its transaction before the route has found its tenant, and the route joins it.
import { randomUUID } from 'node:crypto';
import { McpModule, McpTool } from '@fledge/mcp';
import { createMcpTestClient } from '@fledge/mcp/testing';
import {
  CentralRoute,
  CurrentTenant,
  TENANT_CONTEXT,
  type TenantContext,
  TenantModule,
} from '@fledge/tenant';
import { bindTenant, drizzleQuery } from '@fledge/tenant/rls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Inject, Module, Post } from '@nestjs/common';
import { ClsModule, ClsService } from 'nestjs-cls';
import { type Database, databases } from '../libs/tenant/test/rls/databases.js';
import { createNotes } from '../libs/tenant/test/rls/notes.js';
import { openOrm, type Orm } from '../libs/tenant/test/rls/orms.mjs';
import { closeAll, createApp, platforms } from './support/platforms.js';

let orm: Orm;

@Controller('notes')
class NotesController {
  constructor(
    private readonly cls: ClsService,
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
  ) {}

  @Post()
  @McpTool({ name: 'add_note', description: 'Adds a note', dryRun: true })
  async add() {
    const { tenantId } = this.tenant;
    // As `TransactionHost` of @nestjs-cls/transactional, which Jest cannot load.
    const tx: unknown = this.cls.get('tx');
    await orm.insert(tx, tenantId, `${tenantId} ${randomUUID()}`);
    return { tenantId, notes: (await orm.texts(tx)).length };
  }

  @Post('central')
  @CentralRoute()
  @McpTool({ name: 'central', description: 'Has no tenant', dryRun: true })
  central(@CurrentTenant() tenant: TenantContext | null) {
    return { tenant };
  }
}

@Module({
  imports: [
    ClsModule.forRoot({ global: true, middleware: { mount: true } }),
    TenantModule.forRoot({ strategy: 'header' }),
    McpModule.forRootAsync({
      inject: [ClsService],
      useFactory: (cls: ClsService) => ({
        name: 'notes',
        sessions: { max: 10 },
        writes: {
          transaction: (run) =>
            cls.run(() =>
              orm.transaction(async (tx) => {
                cls.set('tx', tx);
                await bindTenant(drizzleQuery(tx as Parameters<typeof drizzleQuery>[0]));
                await run();
              }),
            ),
        },
      }),
    }),
  ],
  controllers: [NotesController],
})
class AppModule {}

describe.each(databases)('a dry run with row-level security on $engine', ({ open }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await createNotes(database);
    orm = await openOrm.drizzle(database.engine, 2);
  });
  afterAll(async () => {
    await orm.close();
    await database.close();
  });
  afterEach(closeAll);

  it.each(platforms)('sees the rows of its tenant, and saves nothing: $name', async (platform) => {
    const app = await createApp(AppModule, platform.adapter());
    await app.listen(0, '127.0.0.1');
    for (const tenantId of ['a', 'b']) {
      const client = await createMcpTestClient(app, { headers: { 'x-tenant-id': tenantId } });
      const answer = await client.callTool('add_note', { dryRun: true });
      expect(answer.content[0]).toMatchObject({ text: JSON.stringify({ tenantId, notes: 2 }) });
      const central = await client.callTool('central', { dryRun: true });
      expect(central.content[0]).toMatchObject({ text: '{"tenant":null}' });
      await client.close();
    }
    expect(await database.ask(undefined, 'select text from note order by 1')).toEqual([
      { text: 'A1' },
      { text: 'B1' },
    ]);
  });
});
