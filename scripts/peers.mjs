// Runs the specs of an optional peer dependency with other versions than the installed one.
//   node scripts/peers.mjs                            the lowest and highest version of each declared range
//   node scripts/peers.mjs typeorm kysely@0.29.9      both versions of typeorm, and one version of kysely
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const NODE = Number(process.versions.node.split('.')[0]);

const ADAPTERS = [
  'base-condition',
  'column-types',
  'config-mistakes',
  'cursor-scope',
  'json-columns',
];
const ORMS = ['TypeORM', 'Mongoose', 'Kysely', 'Drizzle', 'Knex', 'MikroORM'];
const queryPeer = (orm, specs, { also = [], ...more } = {}) => ({
  lib: 'query',
  // Includes the specs of embedded engines and of servers.
  specs: [
    ...[...specs, ...ADAPTERS].map((name) => `libs/query/test/(databases/)?${name}.spec.ts`),
    ...also,
  ],
  // Excludes the tests that name another ORM: 'Knex on MariaDB walks every order once'.
  tests: [' .*walks every order', ' on .* (finds the same rows|pages by cursor over|summarizes)']
    .map((what) => `^(?!.*(${ORMS.filter((other) => other !== orm).join('|')})${what})`)
    .join(''),
  ...more,
});

/**
 * `lib` is the lib that declares the range. `specs` are the files to run, and `tests` is a pattern
 * that selects tests in them. `beside` returns packages whose version follows the peer's version,
 * by the name that the specs import. `without` returns a pattern of tests that a major version does
 * not support. `node` returns the lowest Node.js version of a major version. `from` is the lowest
 * version that can run here. `prepare` adds files to the folder with the packages.
 */
const PEERS = {
  typeorm: queryPeer('TypeORM', ['typeorm']),
  mongoose: queryPeer('Mongoose', ['mongoose', 'relations-mongoose'], {
    also: ['libs/tenant/test/mongoose.spec.ts'],
  }),
  kysely: queryPeer('Kysely', ['kysely', 'relations'], {
    also: ['libs/tenant/test/(databases/)?kysely.spec.ts'],
  }),
  'drizzle-orm': queryPeer('Drizzle', ['drizzle', 'relations-drizzle'], {
    // In Drizzle 1.0, relational queries have another syntax for conditions, and send different SQL
    // with the same meaning.
    without: (major) =>
      major < 1
        ? undefined
        : 'relational quer|what Drizzle sends|composite primary key can|refuses an array|casing|alias is refused|by a joined table',
  }),
  knex: queryPeer('Knex', ['knex', 'relations']),
  '@mikro-orm/core': queryPeer(
    'MikroORM',
    ['mikro-orm', 'relations-mikro-orm', 'relation-keys-mikro-orm'],
    {
      also: ['libs/tenant/test/(databases/)?mikro-orm.spec.ts'],
      beside: (major) => ({
        '@mikro-orm/postgresql': '@mikro-orm/postgresql',
        '@mikro-orm/better-sqlite': major < 7 ? '@mikro-orm/better-sqlite' : '@mikro-orm/sqlite',
        // MikroORM 6 requires that all its packages have the same version.
        ...(major < 7 && { '@mikro-orm/migrations': '@mikro-orm/migrations' }),
      }),
    },
  ),
  '@prisma/client': {
    lib: 'query',
    specs: ['libs/query/test/databases/(relations-)?prisma.spec.ts'],
    beside: () => ({ prisma: 'prisma', '@prisma/adapter-pg': '@prisma/adapter-pg' }),
    // Earlier versions require an engine that their install script downloads.
    from: '6.16.0',
    prepare: preparePrisma,
  },
  graphql: {
    lib: 'graphql',
    specs: ['libs/graphql', 'libs/core/test/graphql'],
    node: { 17: 22 },
    // Mercurius 16 requires graphql 16.
    without: (major) => (major < 17 ? undefined : 'ercurius'),
  },
  ws: { lib: 'graphql', specs: ['libs/graphql/test/subscriptions', 'libs/graphql/test/upgrade'] },
  'graphql-ws': { lib: 'graphql', specs: ['libs/graphql/test/subscriptions'] },
  'graphql-yoga': {
    lib: 'graphql',
    specs: ['runtimes', 'ending', 'event-streams', 'operation-rules', 'hardening'].map(
      (name) => `libs/graphql/test/${name}.spec.ts`,
    ),
  },
  'graphql-query-complexity': { lib: 'graphql', specs: ['libs/graphql/test/limits.spec.ts'] },
  mercurius: {
    lib: 'graphql',
    specs: ['mercurius', 'documents-nest'].map((name) => `libs/graphql/test/${name}.spec.ts`),
    tests: 'ercurius',
  },
  'class-validator': { lib: 'mcp', specs: ['libs/mcp', 'apps/tasks'] },
  '@modelcontextprotocol/client': {
    lib: 'mcp',
    // Only specs that start no other process: another process would load the installed version.
    specs: ['endpoint', 'eras', 'live-call', 'sessions', 'streams'].map(
      (name) => `libs/mcp/test/${name}.spec.ts`,
    ),
  },
  'nestjs-cls': { lib: 'core', specs: ['libs/core', 'libs/tenant'] },
  bullmq: {
    lib: 'tenant',
    specs: ['libs/tenant/test/databases/bullmq', 'libs/tenant/src/carriers/bullmq'],
    // Early releases of version 5 pass no signal to processors.
    tests: '^(?!.*get an abort signal)',
  },
  ioredis: {
    lib: 'tenant',
    specs: [
      ...['libs/tenant/test/databases/redis', 'libs/tenant/src/services/redis'],
      'libs/mcp/test/databases/(task-stores|bridge-store|resumption|oauth-bridge)',
      'libs/graphql/test/databases/documents-redis',
    ],
  },
  '@golevelup/nestjs-rabbitmq': {
    lib: 'tenant',
    specs: ['libs/tenant/test/processes/rabbitmq.spec.ts'],
  },
  '@nestjs/microservices': {
    lib: 'tenant',
    specs: ['libs/tenant/test/(databases/)?microservices'],
    // Excludes the test that closes a client of others: before 12.1, Redis and MQTT clients do not
    // work again after that.
    tests: '^(?!.*opens the shared connection)',
    // The specs use Nest 12. test/nest11 tests version 11.
    from: '12.0.0',
  },
};

const asked = process.argv.slice(2);
const runs = (asked.length > 0 ? asked : Object.keys(PEERS)).flatMap(runsOf);
const results = [];
for (const { name, version } of runs) {
  const installed = version === installedVersion(name) ? 'as installed' : '';
  const result = { name, version, installed, ...run(name, version) };
  results.push(result);
  console.log(Object.values(result).join('  '));
}
console.table(results);
process.exitCode = results.some(({ failed }) => failed !== 0) ? 1 : 0;

function runsOf(argument) {
  const [, name, version] = /^(@?[^@]+)(?:@(.+))?$/.exec(argument) ?? [];
  if (!PEERS[name]) {
    throw new Error(`No specs are known of ${argument}. Known: ${Object.keys(PEERS).join(', ')}.`);
  }
  if (version) return [{ name, version }];
  const manifest = join(root, 'libs', PEERS[name].lib, 'package.json');
  const { peerDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  const range = peerDependencies[name];
  return range.split(' || ').flatMap((part) => endsOf(name, part));
}

/** Returns the lowest and the highest published version of one part of a range. */
function endsOf(name, part) {
  const all = versionsOf(name, part);
  const { from = '0.0.0' } = PEERS[name];
  const isWhole = (version) =>
    byVersion(version, from) >= 0 &&
    Object.values(insteadOf(name, version)).every((one) => versionsOf(one, version).length > 0);
  const ends = [all.find(isWhole), all.findLast(isWhole)].filter((version) => version);
  return [...new Set(ends)].map((version) => ({ name, version }));
}

function versionsOf(name, range) {
  const view = spawnSync('npm', ['view', `${name}@${range}`, 'version', '--json'], {
    encoding: 'utf8',
  });
  if (view.status !== 0 || view.stdout.trim() === '') return [];
  // If the range begins with a release candidate, includes release candidates, but no builds of
  // single commits.
  const isListed = range.includes('-') ? /^[\d.]+(-rc\.\d+)?$/ : /^[\d.]+$/;
  return [JSON.parse(view.stdout)]
    .flat()
    .filter((version) => isListed.test(version))
    .toSorted(byVersion);
}

function byVersion(a, b) {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** Returns the packages to install, by the name that the specs import. */
function insteadOf(name, version) {
  return { [name]: name, ...PEERS[name].beside?.(majorOf(version)) };
}

function installedVersion(name) {
  const manifest = join(root, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

/**
 * Copies the files that generate the Prisma clients of the specs into a folder. In version 6, a
 * schema must name its engine and its database.
 */
function preparePrisma(folder, major) {
  const prepared = join(root, 'libs/query/test/prisma');
  copyFileSync(join(prepared, 'prepare.mjs'), join(folder, 'prepare.mjs'));
  for (const name of ['schema.prisma', 'shops.prisma']) {
    const schema = readFileSync(join(prepared, name), 'utf8');
    const of6 = schema
      .replace(/(provider = "prisma-client-js")/, '$1\n  engineType = "client"')
      .replace(/(provider = "postgresql")/, '$1\n  url = env("DATABASE_URL")');
    writeFileSync(join(folder, name), major < 7 ? of6 : schema);
  }
}

function majorOf(version) {
  return Number(version.split('.')[0]);
}

/** Installs one version into a folder and runs the specs. Returns how many passed and failed. */
function run(name, version) {
  const { specs, tests = '', without, node = {}, prepare } = PEERS[name];
  const left = without?.(majorOf(version));
  const needed = node[majorOf(version)] ?? 0;
  const folder = mkdtempSync(join(tmpdir(), 'fledge-peer-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
    const packages = Object.values(insteadOf(name, version)).map((one) => `${one}@${version}`);
    execFileSync('npm', ['install', ...quiet, '--loglevel=error', ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    prepare?.(folder, majorOf(version));
    // This copy was installed without being compiled. Removing it makes Node find the copy of the
    // repository.
    rmSync(join(folder, 'node_modules/better-sqlite3'), { recursive: true, force: true });
    const report = join(folder, 'report.json');
    const jest = [
      ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
      ...['--selectProjects', 'unit', 'databases', 'processes'],
      ...[
        '--json',
        `--outputFile=${report}`,
        `--testNamePattern=${left ? `^(?!.*(${left}))` : ''}${tests}`,
        ...specs,
      ],
    ];
    const [command, ...before] =
      needed > NODE ? ['npx', '--yes', '-p', `node@${needed}`, 'node'] : [process.execPath];
    const { stderr, signal } = spawnSync(command, [...before, ...jest], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: {
        ...process.env,
        ...(name === '@prisma/client' && { FLEDGE_PRISMA: folder }),
        FLEDGE_PEERS: JSON.stringify({ folder, root, packages: insteadOf(name, version) }),
      },
    });
    return outcome(
      report,
      `${stderr}\nJest wrote no report${signal ? `: ${signal}` : ''}.`,
      Math.max(needed, NODE),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcome(report, stderr, node) {
  if (!existsSync(report)) {
    console.error(stderr);
    return { node, passed: 0, failed: 1 };
  }
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  for (const { message } of failed > 0 ? testResults : []) if (message) console.error(message);
  return { node, passed: numPassedTests, failed };
}
