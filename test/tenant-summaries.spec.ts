// Counts of @fledge/query under the guards of @fledge/tenant: they are those of the tenant.
import { kyselyAdapter } from '@fledge/query/kysely';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { parseQuery } from '@fledge/query';
import type { Tenancy } from '@fledge/tenant';
import { TenantContextMissingError } from '@fledge/tenant';
import { tenantPlugin } from '@fledge/tenant/kysely';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { open } from '../libs/tenant/test/engines/kysely-databases.js';
import { Note, openMikro } from '../libs/tenant/test/engines/mikro-databases.js';
import { startTenancy } from '../libs/tenant/test/engines/tenancy.js';
import { closeAll } from './support/platforms.js';

const LISTS = { facetable: ['text'], groupable: ['text'], aggregatable: ['id'] } as const;
const NOTES = { columns: { id: 'integer', text: 'string' }, primaryKey: 'id', ...LISTS } as const;
const PATHS = { columns: { id: 'id', text: 'text' }, ...LISTS };
const QUERY = { facets: 'text', aggregate: 'count,max:id', filter: 'id:gt:0' };
const parsed = parseQuery(QUERY, NOTES);

let tenancy: Tenancy;
beforeAll(async () => {
  tenancy = await startTenancy();
});
afterAll(closeAll);

describe('summaries of a tenant', () => {
  const expectOwn = async (ask: () => Promise<unknown>) => {
    const of = (texts: readonly string[]) => ({
      facets: {
        text: { groups: texts.map((value) => ({ value, count: 1 })), total: texts.length },
      },
      aggregates: {
        groups: [expect.objectContaining({ group: {}, count: texts.length })],
        total: 1,
      },
    });
    expect(await tenancy.run('a', ask)).toEqual(of(['A1']));
    expect(await tenancy.run('b', ask)).toEqual(of(['B1', 'B2']));
    await expect(ask()).rejects.toThrow(TenantContextMissingError);
  };

  it('count its rows with Kysely', async () => {
    const plugin = tenantPlugin({ tables: ['note', 'folder'], shared: ['country'] });
    const opened = await open('SQLite', plugin);
    await opened.reset();
    await expectOwn(() => kyselyAdapter.summarize(parsed, NOTES, opened.db.selectFrom('note')));
    await opened.close();
  });

  it('count its rows with MikroORM', async () => {
    const opened = await openMikro('SQLite');
    await opened.reset();
    await expectOwn(() => {
      const em = opened.em.fork();
      return mikroOrmAdapter<Note>(em.getRepository(Note)).summarize(
        parsed,
        PATHS,
        em.createQueryBuilder(Note),
      );
    });
    await opened.close();
  });
});
