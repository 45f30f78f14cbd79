const { builtinModules } = require('node:module');

// Each list reads from the ground up: a folder may import only what stands before it.
const floors = {
  query: [
    'config',
    'parse',
    'resolve',
    'summary',
    'build',
    'shared-sql',
    'page',
    'export',
    'client',
    'memory',
    'drizzle',
    'prisma',
    'typeorm',
    'mikro-orm',
    'kysely',
    'knex',
    'mongoose',
    'nest',
  ],
  core: [
    'nest',
    'checks',
    'http',
    'direct',
    'context',
    'contracts',
    'contributors',
    'loader',
    'adapters',
  ],
  mcp: [
    'check',
    'options',
    'publish/decorators',
    'publish/routes',
    'publish/schema',
    'publish/arguments',
    'publish/catalogue',
    'serve/observe',
    'serve/call',
    'serve/protocol',
    'serve/results',
    'serve/methods',
    'serve/revisions/2025-11-25',
    'serve/revisions/2026-07-28',
    'serve/auth',
    'serve/transport',
    'graphql',
    'redis',
    'oauth-bridge',
    'testing',
  ],
  // A folder in a folder of the list is a separate floor.
  tenant: [
    'identify',
    'directory',
    'instances/budget',
    'scope',
    'requests',
    'instances',
    'observe',
    'impersonation',
    'orm',
    'orm/kysely',
    'orm/mikro-orm',
    'orm/mongoose',
    'databases/rls',
    'databases/mariadb',
    'lifecycle',
    'carriers/bullmq',
    'carriers/microservices',
    'carriers/rabbitmq',
    'carriers/websockets',
    'services/cache',
    'services/redis',
    'services/throttler',
    'testing',
  ],
  graphql: [
    'context',
    'operation',
    'documents',
    'http',
    'live',
    'sockets',
    'explorer',
    'mount',
    'apollo',
    'yoga',
    'mercurius',
  ],
  panel: ['telemetry', 'access', 'calls', 'callers', 'views', 'http'],
  cli: ['output', 'entry', 'start', 'init', 'client', 'inspect', 'panel', 'tenant', 'add'],
};

// The stages inside a folder, from the ground up.
const stages = { 'mcp/src/serve/revisions/2025-11-25': ['streams', 'session', 'registry'] };

// What a lib may import of the other libs, through their front doors only.
const libs = {
  query: [],
  core: [],
  mcp: ['core'],
  tenant: ['core'],
  graphql: ['core'],
  panel: ['core'],
  cli: ['mcp', 'panel'],
};

// What is no entry of a package: entries are the index of the lib or of a subpath, stdio and packages.
const subpaths = [
  ...floors.query.slice(floors.query.indexOf('client')),
  ...floors.tenant.slice(floors.tenant.indexOf('instances')),
  ...floors.graphql.slice(floors.graphql.indexOf('apollo')),
  'telemetry',
  // Of core.
  'loader',
  // Of mcp.
  'check',
  'graphql',
  'oauth-bridge',
].join('|');
const notADoor = `^libs/[^/]+/src/(?!((${subpaths})/)?index\\.ts$|(stdio|packages)\\.ts$)`;

// A file belongs to the innermost floor that contains it.
const lookingUp = (name, folder, order) => {
  const inAny = (some) => ({ path: `^libs/${folder}/(${some.join('|')})/` });
  const except = (some) => (some.length > 0 ? { pathNot: inAny(some).path } : {});
  const isInside = (floor, outer) => floor.startsWith(`${outer}/`);
  return order.slice(0, -1).map((floor, i) => {
    const [below, above] = [order.slice(0, i + 1), order.slice(i + 1)];
    const within = order.filter((other) => isInside(other, floor));
    const belowWithin = below.filter((other) => above.some((outer) => isInside(other, outer)));
    return {
      name: `${name}-${floor.replaceAll('/', '-')}-looks-up`,
      severity: 'error',
      from: { ...inAny([floor]), ...except(within) },
      to: { ...inAny(above), ...except(belowWithin) },
    };
  });
};

const upward = [
  ...Object.entries(floors).flatMap(([lib, order]) => lookingUp(lib, `${lib}/src`, order)),
  ...Object.entries(stages).flatMap(([folder, order]) =>
    lookingUp(folder.replaceAll('/', '-'), folder, order),
  ),
];

/** The floors of a page: a program of its lib that takes libraries and what is listed in `pathNot`. */
const pageFloors = (lib, name, floors, pathNot = []) => [
  {
    name,
    severity: 'error',
    from: { path: `^libs/${lib}/ui/` },
    to: { path: '^(libs|apps)/', pathNot: [`^libs/${lib}/ui/`, ...pathNot] },
  },
  ...floors.slice(0, -1).map((floor, i) => ({
    name: `${lib}-page-${floor}-looks-up`,
    severity: 'error',
    from: { path: `^libs/${lib}/ui/${floor}/` },
    to: { path: `^libs/${lib}/ui/(${floors.slice(i + 1).join('|')})/` },
  })),
];

// The page of the panel takes types and addresses of the API, nothing else.
const inPage = pageFloors(
  'panel',
  'panel-page-takes-the-api-only',
  ['format', 'api', 'state', 'parts', 'form', 'views'],
  ['^libs/panel/src/panel\\.api\\.ts$'],
);

// The explorer knows its endpoint by GraphQL and by what the page says.
const inExplorer = pageFloors('graphql', 'graphql-page-takes-libraries-only', [
  'format',
  'api',
  'state',
  'editor',
  'views',
]);

// What pages share is not in the libs: a page is built with it.
const pageKit = [
  {
    name: 'page-kit-knows-no-page',
    severity: 'error',
    from: { path: '^ui/' },
    to: { path: '^(libs|apps)/' },
  },
  {
    name: 'page-kit-stays-in-pages',
    severity: 'error',
    from: { path: '^(libs|apps)/', pathNot: '^libs/[^/]+/ui/' },
    to: { path: '^ui/' },
  },
];

const toModule = Object.keys(floors).map((lib) => ({
  name: `${lib}-floor-imports-the-roof`,
  severity: 'error',
  from: { path: `^libs/${lib}/src/[^/]+/`, pathNot: ['\\.spec\\.ts$', '/src/testing/'] },
  to: { path: `^libs/${lib}/src/(index|${lib}(-server)?\\.(server|module|adapter))\\.ts$` },
}));

const between = Object.entries(libs).map(([lib, may]) => ({
  name: `${lib}-reaches-too-far`,
  severity: 'error',
  from: { path: `^libs/${lib}/` },
  to: { path: '^(libs|apps)/', pathNot: `^libs/(${[lib, ...may].join('|')})/` },
}));

// The places the design allows to know a thing, and nobody else.
const knowledge = [
  {
    name: 'nest-internals-stay-in-their-rooms',
    severity: 'error',
    from: {
      path: '^libs/[^/]+/src/',
      pathNot: [
        '^libs/mcp/src/publish/routes/',
        '^libs/core/src/nest/',
        '^libs/query/src/nest/described-query\\.ts$',
      ],
    },
    to: { path: 'node_modules/@nestjs/(core|common)/(?!index\\.)' },
  },
  {
    name: 'query-knows-nest-in-nest-only',
    severity: 'error',
    from: { path: '^libs/query/src/', pathNot: '^libs/query/src/nest/' },
    to: { path: ['node_modules/(@nestjs|rxjs)/', '^libs/query/src/nest/'] },
  },
  {
    // With all that it imports, types too: a front end may compile without the types of Node.js.
    name: 'query-client-runs-in-browsers',
    severity: 'error',
    from: { path: '^libs/query/src/client/', pathNot: '\\.spec\\.ts$' },
    to: {
      path: ['^node:', '^node_modules/', ...builtinModules.map((name) => `^${name}$`)],
      reachable: true,
    },
  },
  {
    name: 'sdk-stays-where-messages-are-answered',
    severity: 'error',
    from: {
      path: '^libs/mcp/src/',
      pathNot: '^libs/mcp/src/(serve/(revisions|transport)|testing)/',
    },
    to: { path: 'node_modules/@modelcontextprotocol/' },
  },
  {
    name: 'sdk-is-lazy',
    severity: 'error',
    from: { path: '^libs/mcp/src/', pathNot: '\\.spec\\.ts$' },
    to: {
      path: 'node_modules/@modelcontextprotocol/',
      dependencyTypesNot: ['dynamic-import', 'type-only', 'type-import'],
    },
  },
  {
    name: 'jose-stays-where-tokens-are-verified',
    severity: 'error',
    from: { path: '^libs/mcp/src/', pathNot: '^libs/mcp/src/(serve/auth|oauth-bridge)/' },
    to: { path: 'node_modules/jose/' },
  },
  {
    name: 'jose-is-lazy',
    severity: 'error',
    from: { path: '^libs/mcp/src/(serve/auth|oauth-bridge)/', pathNot: '\\.spec\\.ts$' },
    to: {
      path: 'node_modules/(jose|oidc-provider|openid-client|ioredis)/',
      dependencyTypesNot: ['dynamic-import', 'type-only', 'type-import'],
    },
  },
];

// Each revision of MCP can be read, and one day removed, without the other.
const revisions = {
  name: 'mcp-2026-07-28-imports-2025-11-25',
  severity: 'error',
  from: { path: '^libs/mcp/src/serve/revisions/2026-07-28/' },
  to: { path: '^libs/mcp/src/serve/revisions/2025-11-25/' },
};

// Each extension of the MCP server can be removed with its folder and its lines in the two lists.
const extensions = [
  {
    name: 'mcp-extensions-stay-optional',
    severity: 'error',
    from: {
      path: '^libs/mcp/src/',
      pathNot: [
        '^libs/mcp/src/((extensions|redis)/|(index|mcp(-tool)?\\.options|mcp-server\\.module|publish/decorators/mcp-(prompt|resource)\\.decorator)\\.ts$)',
        '\\.spec\\.ts$',
      ],
    },
    to: { path: '^libs/mcp/src/extensions/' },
  },
  {
    name: 'mcp-redis-only-stores-for-extensions',
    severity: 'error',
    from: { path: '^libs/mcp/src/redis/' },
    to: { path: '^libs/mcp/src/extensions/', pathNot: '/(task|write)-store\\.ts$' },
  },
  {
    name: 'mcp-extensions-are-code-for-the-module-only',
    severity: 'error',
    from: {
      path: '^libs/mcp/src/(index|mcp(-tool)?\\.options|publish/decorators/mcp-(prompt|resource)\\.decorator)\\.ts$',
    },
    to: { path: '^libs/mcp/src/extensions/', pathNot: '^libs/mcp/src/extensions/options\\.ts$' },
  },
  {
    name: 'mcp-extensions-come-from-their-list',
    severity: 'error',
    from: { path: '^libs/mcp/src/mcp-server\\.module\\.ts$' },
    to: { path: '^libs/mcp/src/extensions/', pathNot: '^libs/mcp/src/extensions/index\\.ts$' },
  },
  {
    name: 'mcp-extension-knows-another',
    severity: 'error',
    from: { path: '^libs/mcp/src/extensions/([^/]+)/' },
    to: { path: '^libs/mcp/src/extensions/', pathNot: '^libs/mcp/src/extensions/$1/' },
  },
];

// One ORM is installed without the others, so no adapter may need a second one.
const adapters = floors.query.slice(floors.query.indexOf('memory'), floors.query.indexOf('nest'));
const alone = adapters.map((adapter) => ({
  name: `query-${adapter}-knows-another-adapter`,
  severity: 'error',
  from: { path: `^libs/query/src/${adapter}/` },
  to: { path: `^libs/query/src/(${adapters.filter((other) => other !== adapter).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'libs-by-their-front-door',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: notADoor, pathNot: '^libs/$1/' },
    },
    {
      name: 'apps-by-the-front-door',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: notADoor },
    },
    ...upward,
    ...toModule,
    ...between,
    ...knowledge,
    revisions,
    ...extensions,
    ...alone,
    ...inPage,
    ...inExplorer,
    ...pageKit,
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: ['^(libs|apps)/[^/]+/dist/', '^apps/examples/prisma/(dist|generated)/'],
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
