import { describe, expect, it } from '@jest/globals';
import { TenantOptionError } from '../../tenant.errors.js';
import { rlsSql, type RlsSqlOptions } from './rls-sql.js';
import { RlsNameError } from './rls.errors.js';

describe('rlsSql', () => {
  it('makes one policy for all, which holds for the owner, too', () => {
    expect(rlsSql(['note'])).toBe(`ALTER TABLE "note" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "note" FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS "tenant_isolation" ON "note";
CREATE POLICY "tenant_isolation" ON "note" FOR ALL USING ("tenant_id" = (SELECT nullif(current_setting('app.tenant_id', true), ''))) WITH CHECK ("tenant_id" = (SELECT nullif(current_setting('app.tenant_id', true), '')));
`);
  });

  it('says everything as it is told to', () => {
    const setting = `nullif(current_setting('my.org', true), '')`;
    const own = `("org" = (SELECT ${setting}::uuid) AND (SELECT ${setting}::uuid::text = ${setting}))`;
    const sql = rlsSql(['billing.Invoice', 'note'], {
      column: 'org',
      type: 'uuid',
      setting: 'my.org',
      policy: 'own "rows"',
      columnDefault: 'tenant',
      grantTo: 'app',
    });
    expect(sql.split('\n').slice(0, 7)).toEqual([
      'ALTER TABLE "billing"."Invoice" ENABLE ROW LEVEL SECURITY;',
      'ALTER TABLE "billing"."Invoice" FORCE ROW LEVEL SECURITY;',
      'DROP POLICY IF EXISTS "own ""rows""" ON "billing"."Invoice";',
      `CREATE POLICY "own ""rows""" ON "billing"."Invoice" FOR ALL USING ${own} WITH CHECK ${own};`,
      `ALTER TABLE "billing"."Invoice" ALTER COLUMN "org" SET DEFAULT nullif(current_setting('my.org', true), '')::uuid;`,
      'GRANT SELECT, INSERT, UPDATE, DELETE ON "billing"."Invoice" TO "app";',
      'REVOKE TRUNCATE ON "billing"."Invoice" FROM "app";',
    ]);
    expect(sql).toContain('ALTER TABLE "note" FORCE');
  });

  it('takes the right to call set_config away', () => {
    const revoke =
      'REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC';
    expect(rlsSql([], { setConfig: 'revoked' })).toBe(`${revoke};\n`);
    expect(rlsSql([], { setConfig: 'revoked', grantTo: 'app' })).toBe(`${revoke}, "app";\n`);
  });

  it.each([
    [['note'], { setConfig: 'revoke' }, `rlsSql({ setConfig }) is "revoke", but must be 'revoked'`],
    [
      ['note'],
      { setconfig: 'revoked' },
      'rlsSql({ setconfig }) is not an option. Did you mean setConfig?',
    ],
    [['note'], { columns: 'org_id' }, 'rlsSql({ columns }) is not an option. Did you mean column?'],
    [['note'], { grantsTo: 'app' }, 'rlsSql({ grantsTo }) is not an option. Did you mean grantTo?'],
    [['note'], { columnDefault: 'tenants' }, `is "tenants", but must be 'tenant' or 'unchanged'`],
    [[], {}, 'rlsSql() requires a list of tables'],
    ['note', {}, 'rlsSql() requires a list of tables'],
  ])('refuses %j %j, which would leave a hole', (tables, options, message) => {
    const made = () => rlsSql(tables as string[], options as RlsSqlOptions);
    expect(made).toThrow(TenantOptionError);
    expect(made).toThrow(message);
  });

  it.each([
    [['a.b.c'], {}, 'a.b.c'],
    [[''], {}, ''],
    [['x'.repeat(64)], {}, 'x'.repeat(64)],
    [['note'], { column: '' }, ''],
    [['note'], { policy: 'a\0b' }, 'a\0b'],
    [['note'], { type: 'uuid); drop table note; --' }, 'uuid); drop table note; --'],
    [['note'], { setting: `a.b', true); --` }, `a.b', true); --`],
    [['note'], { setting: 'role' }, 'role'],
    [['note'], { grantTo: '' }, ''],
  ])('refuses the names of %j %j', (tables, options, named) => {
    const made = () => rlsSql(tables, options);
    expect(made).toThrow(RlsNameError);
    expect(made).toThrow(JSON.stringify(named));
  });
});
