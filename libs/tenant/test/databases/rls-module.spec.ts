// Needs PostgreSQL.
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LoggerService, Module, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import {
  pgQuery,
  rlsSql,
  RlsAuditError,
  TenantRlsModule,
  type TenantRlsOptions,
} from '@fledge/tenant/rls';
import { closeAll, createApp, platforms } from '../../../../test/support/platforms.js';
import { type Database, openPostgres } from '../rls/databases.js';

describe.each(platforms)('the audit at the start on $name', ({ adapter }) => {
  let database: Database;
  let pool: pg.Pool;
  beforeEach(async () => {
    database = await openPostgres();
    pool = new pg.Pool({ connectionString: database.engine.url });
    await database.exec(`create table note (tenant_id text); create table memo (tenant_id text);
      grant select, truncate on note to ${database.app}; grant select on memo to ${database.app}`);
  });
  afterEach(async () => {
    await closeAll();
    await pool.end();
    await database.close();
  });
  afterAll(closeAll);

  function warnings(): LoggerService & { readonly lines: string[] } {
    const lines: string[] = [];
    const ignore = () => undefined;
    return { lines, log: ignore, error: ignore, warn: (line: string) => void lines.push(line) };
  }

  it('refuses to start, and lists each finding with its cure', async () => {
    @Module({ imports: [TenantRlsModule.forRoot({ query: pgQuery(pool) })] })
    class AppModule {}
    const app = await createApp(AppModule, adapter());
    const failure = await app.listen(0).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RlsAuditError);
    const { message, findings } = failure as RlsAuditError;
    expect(findings.map(({ subject }) => subject)).toEqual(['public.memo', 'public.note']);
    expect(message).toContain('RLS_DISABLED public.memo');
    expect(message).toContain(
      `RLS_DISABLED public.note: Row-level security is not enabled, so policies do not apply. Run the SQL of rlsSql(['public.note'])`,
    );
    expect(app.getHttpServer().listening).toBe(false);
  });

  it('says which module failed if the query throws', async () => {
    const failure = new Error('connect ECONNREFUSED');
    const query = () => Promise.reject(failure);
    const errors: unknown[] = [];
    const logger = { ...warnings(), error: (line: unknown) => void errors.push(line) };
    const app = await createApp({ imports: [TenantRlsModule.forRoot({ query })] }, adapter(), {
      logger,
    });
    await expect(app.init()).rejects.toBe(failure);
    expect(errors).toEqual([
      'The audit of row-level security failed. Check `query` and its database.',
    ]);
  });

  it('starts after a migration fixed the errors, and logs warnings', async () => {
    class Migration implements OnModuleInit {
      onModuleInit = () => database.exec(rlsSql(['note', 'memo']));
    }
    @Module({
      providers: [Migration],
      imports: [TenantRlsModule.forRootAsync({ useFactory: () => ({ query: pgQuery(pool) }) })],
    })
    class AppModule {}
    const logger = warnings();
    const app = await createApp(AppModule, adapter(), { logger });
    await app.listen(0, '127.0.0.1');
    expect(logger.lines).toEqual([
      expect.stringContaining('SET_CONFIG_ALLOWED'),
      expect.stringContaining('TRUNCATE_PRIVILEGE public.note'),
      expect.stringContaining('INDEX_WITHOUT_TENANT public.memo'),
      expect.stringContaining('INDEX_WITHOUT_TENANT public.note'),
    ]);
  });

  it.each([
    [
      { acept: [] },
      '({ acept }) is not an option. Did you mean accept? The options are tables, schema,',
    ],
    [{ mode: 'wran' }, `({ mode }) is "wran", but must be 'strict' or 'warn'.`],
    [{ tables: 'note' }, `({ tables }) is "note", but must be a list.`],
    [{ query: undefined }, `({ query }) is undefined, but must be a function.`],
  ])('starts with no options like %j', async (more, message) => {
    const options = { query: pgQuery(pool), ...more } as TenantRlsOptions;
    @Module({ imports: [TenantRlsModule.forRootAsync({ useFactory: () => options })] })
    class AppModule {}
    await expect(createApp(AppModule, adapter())).rejects.toMatchObject({
      code: 'TENANT_INVALID_OPTION',
      message: expect.stringContaining(`TenantRlsModule.forRoot${message}`),
    });
  });

  it('logs errors in mode warn', async () => {
    const accept = ['RLS_DISABLED public.memo'];
    @Module({ imports: [TenantRlsModule.forRoot({ query: pgQuery(pool), mode: 'warn', accept })] })
    class AppModule {}
    const logger = warnings();
    const app = await createApp(AppModule, adapter(), { logger });
    await app.listen(0, '127.0.0.1');
    expect(logger.lines).toEqual([
      expect.stringContaining('SET_CONFIG_ALLOWED'),
      expect.stringContaining('RLS_DISABLED public.note'),
      expect.stringContaining('TRUNCATE_PRIVILEGE public.note'),
    ]);
  });
});
