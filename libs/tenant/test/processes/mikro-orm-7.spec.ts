// Needs PostgreSQL.
// The specs of the guard of MikroORM, on SQLite and PostgreSQL, with MikroORM 7 in the place of 6. Jest resolves a package to
// one version, so that they run in a Jest of their own. `npm run matrix:peers` runs them with the lowest version of 7, too.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import ts from 'typescript';
import { root } from '../../../../test/support/snippets.js';

/** The version is pinned: a newer one may have other internals. */
const INSTALLED = join(root, 'test/mikro-orm-7');
const PACKAGES = {
  '@mikro-orm/core': '@mikro-orm/core',
  '@mikro-orm/postgresql': '@mikro-orm/postgresql',
  '@mikro-orm/better-sqlite': '@mikro-orm/sqlite',
};

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

let folder: string;
let report: Report;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fledge-mikro-'));
  const output = join(folder, 'report.json');
  spawnSync(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
      ...['--selectProjects', 'unit', 'databases', '--json', `--outputFile=${output}`],
      'libs/tenant/test/(databases/)?mikro-orm.spec.ts',
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        FLEDGE_PEERS: JSON.stringify({ folder: INSTALLED, root, packages: PACKAGES }),
      },
    },
  );
  report = JSON.parse(readFileSync(output, 'utf8')) as Report;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('guards MikroORM 7 as it guards 6', () => {
  expect(report.testResults.map(({ message }) => message).join('')).toBe('');
  const names = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName }) => fullName),
  );
  for (const engine of ['SQLite', 'PostgreSQL']) {
    expect(names).toContain(`guardTenants on ${engine} fills in the tenant of new rows`);
    expect(names).toContain(`guardTenants of MikroORM 7 on ${engine} guards unions`);
  }
  expect(report.numPassedTests).toBe(names.length);
});

it('has types that fit MikroORM 7', () => {
  const file = join(folder, 'app.ts');
  writeFileSync(
    file,
    `import { defineEntity, EntitySchema, p } from '@mikro-orm/core';
    import { MikroORM, SqliteDriver } from '@mikro-orm/sqlite';
    import { guardTenants } from '@fledge/tenant/mikro-orm';
    class Country { code!: string }
    const country = new EntitySchema({ class: Country, properties: { code: { type: 'text', primary: true } } });
    const land = defineEntity({ name: 'Land', properties: { code: p.string().primary(), size: p.integer() } });
    const config = { driver: SqliteDriver, dbName: ':memory:', entities: [country, land] };
    export const open = () => MikroORM.init(guardTenants(config, { shared: [Country, country, land] }));`,
  );
  const from = (path: string) => join(INSTALLED, 'node_modules/@mikro-orm', path, 'index.d.ts');
  const program = ts.createProgram([file], {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    paths: {
      '@mikro-orm/core': [from('core')],
      '@mikro-orm/sqlite': [from('sqlite')],
      '@fledge/tenant/mikro-orm': [join(root, 'libs/tenant/dist/orm/mikro-orm/index.d.ts')],
    },
  });
  const messages = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(messages).toEqual([]);
});
