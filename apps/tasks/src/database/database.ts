import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { bindTenant, drizzleQuery } from '@fledge/tenant/rls';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { lockFolder } from './folder-lock.js';
import { seed } from './seed.js';

// The path is correct from src/database and from dist/database.
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const APP_ROLE = 'tasks_app';

/** `$client` is PGlite. `fledge_tenant_step`, the table of @fledge/tenant/lifecycle, needs it. */
export type CentralDatabase = PgliteDatabase & { readonly $client: PGlite };

/** A transaction in which only the rows of the current tenant are visible. */
export type TenantTransaction = Parameters<Parameters<PgliteDatabase['transaction']>[0]>[0];

/** PostgreSQL in this process. The tables already exist. */
export class Database implements OnApplicationShutdown {
  /** The transaction of the current dry run, if there is one. */
  private readonly trial = new AsyncLocalStorage<TenantTransaction>();

  private constructor(
    private readonly orm: CentralDatabase,
    private readonly close: () => Promise<void>,
  ) {}

  /** The database for tables without tenants. Queries on tables with tenants return no rows. */
  get central(): CentralDatabase {
    // There is only one connection. In a dry run, a query outside the transaction would wait for
    // its end.
    return (this.trial.getStore() as CentralDatabase | undefined) ?? this.orm;
  }

  /** True in a dry run. Its changes are rolled back, so nobody may be notified of them. */
  get isTrial(): boolean {
    return this.trial.getStore() !== undefined;
  }

  /**
   * Runs work in a transaction that all its queries use. Rolls back if the work throws, as dry runs
   * do.
   */
  async transaction(work: () => Promise<void>): Promise<void> {
    await this.orm.transaction((tx) => this.trial.run(tx, work));
  }

  /**
   * Opens the data folder. Creates, migrates and seeds it if necessary.
   *
   * @param folder a path, or `memory://` to store nothing
   */
  static async open(folder: string): Promise<Database> {
    const logger = new Logger(Database.name);
    logger.log(`Starting PostgreSQL in ${folder}`);
    const { client, close } = folder.startsWith('memory://')
      ? await openInMemory()
      : await openFolder(folder);
    const orm = drizzle(client);
    await migrate(orm, { migrationsFolder: MIGRATIONS });
    if (await seed(orm)) logger.log(`Seeded ${folder} with demo companies, users and tasks`);
    // The owner of the tables is a superuser, and superusers bypass row-level security.
    await client.exec(`SET ROLE ${APP_ROLE}`);
    return new Database(orm, close);
  }

  /**
   * Runs a transaction in which PostgreSQL shows only the rows of the current tenant. Use `tx`
   * inside: there is only one connection, so a query on `central` would wait for this transaction
   * to end.
   * @throws TenantContextMissingError
   */
  async inTenant<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return this.central.transaction(async (tx) => {
      // The migrations revoked the right to call `set_config`, so `SET LOCAL` is used.
      await bindTenant(drizzleQuery(tx), { by: 'SET LOCAL' });
      return work(tx);
    });
  }

  /** Runs after the HTTP server has closed, so no request uses a closed database. */
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}

interface OpenClient {
  readonly client: PGlite;
  readonly close: () => Promise<void>;
}

async function openInMemory(): Promise<OpenClient> {
  const client = await PGlite.create();
  return { client, close: () => client.close() };
}

async function openFolder(folder: string): Promise<OpenClient> {
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  const client = await PGlite.create(join(folder, 'postgres'));
  return {
    client,
    close: async () => {
      await client.close();
      await unlock();
    },
  };
}
