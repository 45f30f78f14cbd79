// Each list reads from the ground up: a folder may import only what stands before it.
const floors = {
  core: ['context', 'contributors', 'adapters'],
  mcp: [
    'decorators',
    'discovery',
    'schema',
    'registry',
    'live',
    'dispatch',
    'protocol',
    'transport',
    'testing',
  ],
  cli: ['output', 'entry', 'start', 'init', 'client'],
};

// What a lib may import of the other libs, through their front doors only.
const libs = { core: [], mcp: ['core'], cli: ['mcp'] };

const upward = Object.entries(floors).flatMap(([lib, order]) =>
  order.slice(0, -1).map((floor, i) => ({
    name: `${lib}-${floor}-looks-up`,
    severity: 'error',
    from: { path: `^libs/${lib}/src/${floor}/` },
    to: { path: `^libs/${lib}/src/(${order.slice(i + 1).join('|')})/` },
  })),
);

const toModule = Object.keys(floors).map((lib) => ({
  name: `${lib}-floor-imports-the-roof`,
  severity: 'error',
  from: { path: `^libs/${lib}/src/[^/]+/`, pathNot: ['\\.spec\\.ts$', '/src/testing/'] },
  to: { path: `^libs/${lib}/src/(index|${lib}\\.module|${lib}\\.adapter)\\.ts$` },
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
      pathNot: ['^libs/mcp/src/(discovery|dispatch)/', '^libs/core/src/nest-internals\\.ts$'],
    },
    to: { path: 'node_modules/@nestjs/(core|common)/(?!index\\.)' },
  },
  {
    name: 'sdk-stays-in-protocol-and-transport',
    severity: 'error',
    from: { path: '^libs/mcp/src/', pathNot: '^libs/mcp/src/(protocol|transport|testing)/' },
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
];

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'libs-by-their-front-door',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/[^/]+/src/(?!((testing/)?index|stdio)\\.ts$)', pathNot: '^libs/$1/' },
    },
    {
      name: 'apps-by-the-front-door',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^libs/[^/]+/src/(?!((testing/)?index|stdio)\\.ts$)' },
    },
    ...upward,
    ...toModule,
    ...between,
    ...knowledge,
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(libs|apps)/[^/]+/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
