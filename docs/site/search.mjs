// What the search of the site finds, and in which order.

/** Words that users type for a page whose text has other words. */
export const WORDS = {
  '/start': 'quick start quickstart getting started install installation setup first program npm',
  '/mcp/': 'quick start expose controller agent AI LLM tool decorator claude cursor',
  '/mcp/access': 'auth authentication authorization JWT guard bearer token login roles permissions',
  '/mcp/oidc': 'OAuth OpenID Connect Auth0 Keycloak Okta login SSO',
  '/mcp/arguments': 'input schema zod class-validator swagger validation DTO description',
  '/mcp/results': 'output schema structured content images',
  '/mcp/middleware': 'CORS rate limit throttler helmet browser',
  '/mcp/live-calls': 'progress logging elicitation ask user cancel',
  '/mcp/tasks': 'long running background job',
  '/mcp/several-processes': 'cluster scale replicas kubernetes load balancer sticky sessions redis',
  '/mcp/telemetry': 'OpenTelemetry tracing metrics monitoring logs',
  '/mcp/options': 'configuration settings sessions.max limits',
  '/mcp/errors': 'Server already initialized error messages troubleshooting',
  '/mcp/testing': 'unit test e2e jest vitest test a tool',
  '/mcp/safe-writes': 'idempotency confirmation dry run destructive delete undo',
  '/mcp/large-catalogues': 'token cost context window too many tools search_tools',
  '/query/': 'quick start list filter sort paginate pagination search query string @Qs',
  '/query/adapters': 'ORM repository',
  '/query/drizzle': 'pagination drizzle adapter',
  '/query/prisma': 'pagination prisma adapter',
  '/query/typeorm': 'pagination typeorm adapter repository',
  '/query/mikro-orm': 'pagination mikro-orm adapter repository',
  '/query/kysely': 'pagination kysely adapter',
  '/query/knex': 'pagination knex adapter',
  '/query/mongoose': 'pagination mongoose adapter',
  '/query/nest': 'swagger OpenAPI decorator controller DTO pagination pipe',
  '/query/cursors': 'cursor pagination keyset infinite scroll after',
  '/query/client': 'react table TanStack Refine AG Grid frontend url builder',
  '/query/export': 'CSV download NDJSON stream file',
  '/query/groups': 'or and not nested conditions',
  '/tenant/': 'quick start multi-tenant SaaS tenant id header',
  '/tenant/strategies': 'subdomain tenant header path JWT claim domain resolve tenant id',
  '/tenant/row-level-security': 'RLS postgres policy isolation leak database shared schema',
  '/tenant/connections': 'database per tenant schema per tenant datasource',
  '/tenant/testing': 'test tenant unit test e2e jest how to test',
  '/tenant/propagation': 'queue BullMQ cron worker websocket gateway background job',
  '/tenant/files': 'file upload storage S3 path',
  '/tenant/rate-limits': 'throttler rate limit',
  '/tenant/lifecycle': 'onboarding provision create tenant migration signup',
  '/graphql/': 'quick start schema resolver',
  '/graphql/subscriptions': 'websocket graphql-ws realtime live',
  '/graphql/apollo': 'Apollo Server @nestjs/graphql code first',
  '/graphql/explorer': 'GraphiQL playground sandbox',
  '/graphql/limits': 'depth limit complexity cost denial of service',
  '/panel/': 'devtools dashboard inspector UI debug telescope',
  '/cli/': 'command line npx fledge',
  '/cli/clients': 'claude code desktop cursor vscode copilot configure client mcp.json',
  '/core/async-context': 'AsyncLocalStorage CLS nestjs-cls request scope current user',
  '/core/nest-11': 'upgrade NestJS version 11 12',
  '/core/commonjs': 'ESM require jest vitest ERR_REQUIRE_ESM module format',
  '/compatibility': 'node version express fastify supported versions',
  '/benchmarks': 'performance fast overhead latency',
};

/** Leaves single characters, numbers that are no version or status, and words without a subject out of the index and of questions. */
const processTerm = (term) => {
  const word = term.toLowerCase();
  return /^(.|=>|[2-9]\d|\d{4,}|after|all|also|an|and|another|any|are|as|at|await|be|because|before|but|by|can|const|do|does|each|for|from|has|have|how|if|import|in|into|is|it|its|may|my|no|not|of|on|one|only|or|other|own|return|so|such|than|that|the|their|them|then|there|these|they|this|to|was|what|when|where|which|why|with|without|you|your)$/.test(
    word,
  )
    ? null
    : word;
};

/** The options of VitePress' local search. The browser gets the functions as text, so they use nothing around them. */
export const search = {
  provider: 'local',
  options: {
    /** API members and the changelog have the words of all other pages, and imports those of all other programs. */
    _render(source, env, markdown) {
      if (/^(api\/|changelog\.md|index\.md)/.test(env.relativePath)) return '';
      return markdown
        .render(source.replace(/^import .*;$/gm, ''), env)
        .replace(/<span class="lang">\w+<\/span>/g, '')
        .replace(/&\w+;/g, ' ');
    },
    miniSearch: {
      options: {
        fields: ['title', 'titles', 'text', 'words'],
        storeFields: ['title', 'titles'],
        processTerm,
        // Only a section at the top of a page has its words.
        extractField: (section, field) =>
          field === 'words'
            ? section.titles.length > 0
              ? ''
              : WORDS[section.id.replace(/#.*/, '')]
            : section[field],
      },
      searchOptions: {
        fuzzy: 0.2,
        prefix: true,
        boost: { title: 6, words: 14, titles: 2, text: 1 },
      },
    },
  },
};
