import * as sqlite from '@mikro-orm/better-sqlite';
import type { MikroORM } from '@mikro-orm/core';

/** The driver of better-sqlite3. In MikroORM 7 it is in `@mikro-orm/sqlite`, under another name. */
export const SqliteDriver =
  (sqlite as Partial<typeof sqlite>).BetterSqliteDriver ??
  (sqlite as unknown as { SqliteDriver: typeof sqlite.BetterSqliteDriver }).SqliteDriver;

/** Creates the tables of the entities. MikroORM 7 renamed the method to `create`. */
export async function createSchema({ schema }: MikroORM): Promise<void> {
  const { create = () => schema.createSchema() } = schema as { create?: () => Promise<void> };
  await create.call(schema);
}
