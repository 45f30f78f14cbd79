// The order of pages: what a newcomer needs first comes first. Previous and next follow it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, packages, root } from './pages.mjs';

/** The guides of each package, grouped, those needed most first. Guides that are missing here come last. */
const GUIDES = {
  mcp: {
    'Your tools': ['publish', 'arguments', 'results', 'safe-writes', 'live-calls', 'testing'],
    'Who may call': ['access', 'oidc', 'oauth-bridge', 'budgets', 'middleware'],
    'More than tools': [
      'resources-and-prompts',
      'graphql-operations',
      'apps',
      'tasks',
      'sdk-server',
      'large-catalogues',
    ],
    'Endpoints and transports': ['stdio', 'endpoints', 'several-processes', 'direct'],
  },
  query: {
    Lists: ['query-string', 'nest', 'cursors', 'search', 'client'],
    'Your ORM': [
      ...['drizzle', 'prisma', 'typeorm', 'mikro-orm', 'kysely', 'knex', 'mongoose'],
      ...['adapters', 'functions'],
    ],
    'Filters and rows': ['comparing', 'groups', 'relations', 'fields', 'json'],
    'Whole lists': ['totals', 'summaries', 'export'],
    'Coming from': ['from-nestjs-paginate'],
  },
  tenant: {
    'Find the tenant': ['strategies', 'testing', 'impersonation'],
    'Separate the data': [
      'row-level-security',
      'row-level-security-audit',
      'engines',
      'connections',
      'pools',
      'mariadb',
    ],
    'Your ORM': ['prisma', 'kysely', 'mikro-orm', 'mongoose'],
    'Create and migrate': ['lifecycle', 'migrators', 'prisma-migrate', 'mikro-orm-migrations'],
    'Outside of requests': ['propagation', 'microservices'],
    'Other services': ['caching', 'redis', 'rate-limits', 'files'],
  },
  graphql: {
    'Serve a schema': ['runtimes', 'apollo', 'mercurius', 'explorer'],
    Subscriptions: ['subscriptions', 'revalidation'],
    'Protect and scale': ['limits', 'documents', 'federation', 'direct', 'tracing'],
  },
  panel: { Guides: ['callers', 'traces'] },
  cli: { Commands: ['nest-add', 'clients', 'tenant'] },
  core: {
    Guides: ['async-context', 'loaders'],
    'Your setup': ['nest-11', 'commonjs'],
    Packages: ['for-packages'],
  },
};

/** Guides that stand in another group, with other menu texts. */
const PRODUCTION = ['production', 'security', 'telemetry'];
const REFERENCE = ['options', 'database-options', 'errors'];
const TEXTS = {
  why: 'Why',
  options: 'Options',
  'database-options': 'Options for databases and ORMs',
  errors: 'Errors',
  production: 'Checklist',
  security: 'Security',
};

/** @returns the first heading of a document */
function titleOf(document) {
  return /^# (.*)$/m.exec(readFileSync(join(root, document), 'utf8'))?.[1] ?? document;
}

const titles = new Map(documents().map(([document, page]) => [page, titleOf(document)]));

/** The menu of a package: get started, guides, reference, in production, and the other packages. */
export function packageMenu(name, apiLinks) {
  const own = [...titles.keys()]
    .filter((page) => page.startsWith(`${name}/`) && page !== `${name}/index.md`)
    .map((page) => page.slice(name.length + 1, -3));
  const left = new Set(own);
  const group = (text, pages) => ({
    text,
    items: pages
      .filter((page) => left.delete(page))
      .map((page) => ({ text: textOf(name, page), link: `/${name}/${page}` })),
  });
  const start = group('Get started', ['why']);
  start.items.unshift({ text: wordOf(name), link: `/${name}/` });
  const reference = group('Reference', REFERENCE);
  reference.items.push(...apiLinks.filter(({ text }) => isOf(name, text)));
  const production = group('In production', PRODUCTION);
  const guides = Object.entries(GUIDES[name]).map(([text, pages]) => group(text, pages));
  const others = group('More guides', [...left]);
  const groups = [start, ...guides, others, reference, production, nextPackages(name)];
  return groups.filter(({ items }) => items.length > 0);
}

/** The pages of the guides that have a place in a menu. */
export function guidesInMenus() {
  return Object.entries(GUIDES).flatMap(([name, groups]) =>
    Object.values(groups)
      .flat()
      .map((page) => `${name}/${page}.md`),
  );
}

export const packagesMenu = { text: 'Packages', items: packages.map(packageLink) };

const EXAMPLES = { 'examples.md': 'Examples', 'agents.md': undefined };
const DECISION = {
  'benchmarks.md': 'Benchmarks',
  'compatibility.md': undefined,
  'versions.md': 'Versions and support',
  'changelog.md': 'Changelog',
  'reporting.md': 'Report a vulnerability',
};

/** The menu of the pages that belong to no package. */
export const generalMenu = [
  { text: 'Get started', items: [link('start.md', 'Fledge in one program'), ...tutorials()] },
  packagesMenu,
  { text: 'Learn more', items: links(EXAMPLES) },
  { text: 'Coming from', items: comingFrom() },
  { text: 'Before you decide', items: links(DECISION) },
  { text: 'Reference', items: [{ text: 'API', link: '/api/' }] },
];

/** Pages that stand nowhere else. */
function tutorials() {
  const elsewhere = ['index.md', 'start.md', ...Object.keys({ ...EXAMPLES, ...DECISION })];
  const folders = ['coming-from', ...packages.map(([name]) => name)];
  return [...titles.keys()]
    .filter((page) => !elsewhere.includes(page) && !folders.includes(page.split('/')[0]))
    .map((page) => link(page));
}

function comingFrom() {
  return [...titles.keys()]
    .filter((page) => page.startsWith('coming-from/'))
    .map((page) => link(page, titles.get(page).replace('Coming from ', '')));
}

function links(pages) {
  return Object.entries(pages).map(([page, text]) => link(page, text));
}

function link(page, text = titles.get(page)) {
  return { text, link: `/${page.slice(0, -3)}` };
}

function packageLink([name, text]) {
  return { text, link: `/${name}/` };
}

/** The other packages, from the next one on, so that the last page of a package leads to the next package. */
function nextPackages(name) {
  const at = packages.findIndex(([each]) => each === name);
  const others = [...packages.slice(at + 1), ...packages.slice(0, at)];
  return { text: 'Other packages', items: others.map(packageLink) };
}

function wordOf(name) {
  return packages.find(([each]) => each === name)[1];
}

function textOf(name, each) {
  return TEXTS[each] ?? titles.get(`${name}/${each}.md`);
}

function isOf(name, module) {
  return module === `@fledge/${name}` || module.startsWith(`@fledge/${name}/`);
}
