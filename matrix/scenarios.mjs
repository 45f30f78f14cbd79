// What is tried. An application is generated and installed once for each row, and runs on both
// platforms with every version of Node.js.
const MODULES = ['cjs', 'esm'];
const ENDS = ['lowest', 'highest'];

/** nest: major. modules: what the application compiles to. ends: of the range of each peer. */
export const APPLICATIONS = [11, 12].flatMap((nest) =>
  MODULES.flatMap((modules) =>
    ENDS.map((ends) => ({ name: `nest${nest}-${modules}-${ends}`, nest, modules, ends })),
  ),
);

export const PLATFORMS = ['express', 'fastify'];
export const NODES = ['20.19.0', '22', '24', '26'];

/**
 * Other ways to build and install an application, on the Node.js that runs the matrix. builder: of
 * `nest build`. bundled: packages of node_modules go into the bundle. manager: installs the packages.
 */
export const WAYS = [
  { name: 'swc', nest: 12, modules: 'esm', ends: 'highest', builder: 'swc' },
  { name: 'webpack', nest: 12, modules: 'cjs', ends: 'highest', builder: 'webpack' },
  { name: 'rspack', nest: 12, modules: 'esm', ends: 'highest', builder: 'rspack' },
  {
    name: 'rspack-bundled',
    nest: 12,
    modules: 'cjs',
    ends: 'highest',
    builder: 'rspack',
    bundled: true,
  },
  { name: 'pnpm', nest: 12, modules: 'esm', ends: 'highest', manager: 'pnpm' },
  { name: 'npm-workspaces', nest: 12, modules: 'cjs', ends: 'highest', manager: 'npm-workspaces' },
];

/** Applications for `nest add`. cli: major version of their Nest CLI. shapes: whether other root modules are tried. */
export const ADDS = [
  { name: 'add-nest11-cli11', nest: 11, modules: 'cjs', cli: 11, manager: 'npm', shapes: true },
  { name: 'add-nest11-cli12', nest: 11, modules: 'cjs', cli: 12, manager: 'npm' },
  { name: 'add-nest12-cli11', nest: 12, modules: 'esm', cli: 11, manager: 'npm' },
  { name: 'add-nest12-cli12', nest: 12, modules: 'esm', cli: 12, manager: 'npm', shapes: true },
  { name: 'add-pnpm', nest: 12, modules: 'esm', cli: 12, manager: 'pnpm' },
];

/** The part that `.ci/run` tries, on the Node.js that runs it. */
export const CUT = [
  { application: 'nest11-cjs-highest', platforms: ['express'] },
  { application: 'nest12-esm-highest', platforms: ['fastify'] },
];

/** An application written like real ones, of realistic/. */
export const REALISTIC = {
  name: 'realistic',
  nest: 11,
  modules: 'cjs',
  manager: 'pnpm',
  packages: [
    ...['@fledge/core', '@fledge/graphql', '@fledge/mcp', '@fledge/query', '@fledge/tenant'],
    ...[
      '@nestjs/graphql@13',
      '@nestjs/apollo@13',
      '@apollo/server@5',
      '@as-integrations/express5@1',
    ],
    ...['graphql@16', 'graphql-subscriptions@3', 'graphql-ws@6', 'ws@8'],
    ...['@nestjs/passport@11', '@nestjs/jwt@11', 'passport@0.7', 'passport-jwt@4'],
    ...['@types/passport-jwt@4', '@nestjs/throttler@6', '@nestjs/swagger@11'],
    ...['class-transformer@0.5', 'class-validator@0.14', 'nestjs-cls@6'],
    ...['@nestjs/typeorm@11', 'typeorm@0.3', 'sql.js@1', 'express@5'],
    ...['helmet@8', 'compression@1', '@types/compression@1', 'cookie-parser@1'],
    ...['@types/cookie-parser@1', 'express-session@1', '@types/express-session@1'],
  ],
};

/** An application has this ORM, and then installs our packages with npm's default rules. */
export const ORMS = ['typeorm@0.3', 'mongoose@8', 'kysely@0.29', 'drizzle-orm@0.44', 'knex@2'];

/** The peers that the applications use. The ranges are those in the package.json of our libs. */
export const PEERS = [
  '@nestjs/common',
  '@nestjs/core',
  'class-transformer',
  'class-validator',
  'graphql',
  'graphql-ws',
  'nestjs-cls',
  'reflect-metadata',
  'rxjs',
  'ws',
];

/** Packages that are released with @nestjs/core, under its version. */
export const BESIDE_CORE = ['@nestjs/platform-express', '@nestjs/platform-fastify'];
