import type { Promised } from './promise.js';

export const tenantPromises: readonly Promised[] = [
  {
    page: 'libs/tenant/README.md',
    words: 'after all guards and before the handler',
    spec: 'libs/tenant/test/enforcement.spec.ts',
    test: 'compares after all guards, the last of which sets the user',
  },
  {
    page: 'libs/tenant/docs/caching.md',
    words: 'all tenants share the answer',
    spec: 'libs/tenant/test/cache.spec.ts',
    test: 'shares the answer of a central route, whose key no tenant has',
  },
  {
    page: 'libs/tenant/docs/connections.md',
    words: 'all requests of the tenant share it',
    spec: 'libs/tenant/test/feature.spec.ts',
    test: 'gives each request the instance of its tenant, in singletons',
  },
  {
    page: 'libs/tenant/docs/connections.md',
    words: 'At shutdown all instances are ended',
    spec: 'libs/tenant/test/feature.spec.ts',
    test: 'ends all instances at shutdown, after the last request',
  },
  {
    page: 'libs/tenant/docs/connections.md',
    words: 'after its last request, or after 5 seconds',
    spec: 'libs/tenant/src/feature/tenant-pool.spec.ts',
    test: 'waits at most 5 seconds for held instances',
  },
  {
    page: 'libs/tenant/docs/kysely.md',
    words: 'Leaves the row of another tenant with the same key as it is',
    spec: 'libs/tenant/test/kysely.spec.ts',
    test: 'overwrites no row of another tenant that has the same key',
  },
  {
    page: 'libs/tenant/docs/kysely.md',
    words: "they change a row with the same key, which may be another tenant's",
    spec: 'libs/tenant/test/kysely.spec.ts',
    test: 'overwrites no row of another tenant that has the same key',
  },
  {
    page: 'libs/tenant/docs/mikro-orm.md',
    words:
      'Each entity has the property, or is listed in `shared`; otherwise MikroORM does not start',
    spec: 'libs/tenant/test/mikro-orm.spec.ts',
    test: 'refuses to start where it cannot work',
  },
  {
    page: 'libs/tenant/docs/mikro-orm.md',
    words: 'Refused, or without effect, if the row with the same key belongs to another tenant',
    spec: 'libs/tenant/test/mikro-orm.spec.ts',
    test: 'overwrites no row of another tenant that has the same key',
  },
  {
    page: 'libs/tenant/docs/propagation.md',
    words: 'loader that all tenants share therefore fetches rows of one tenant for another',
    spec: 'libs/tenant/test/propagation.spec.ts',
    test: "is the first caller's in a shared loader, so each tenant needs its own",
  },
  {
    page: 'libs/tenant/docs/row-level-security.md',
    words: 'A nested transaction of the same tenant',
    spec: 'libs/tenant/test/rls.spec.ts',
    test: 'supports a nested transaction of the same tenant',
  },
  {
    page: 'libs/tenant/docs/row-level-security.md',
    words: '`schemaOf` may name schemas that all share',
    spec: 'libs/tenant/test/rls-schema.spec.ts',
    test: 'puts shared schemas after the tenant’s',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: 'as it was sent (`originalUrl`), whatever middleware made of `req.url`',
    spec: 'libs/tenant/test/identification.spec.ts',
    test: 'is read as sent, also if middleware changed req.url',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: "With `combine: 'agree'` all that find a value must find",
    spec: 'libs/tenant/test/identification.spec.ts',
    test: 'are compared after normalize',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: 'never `evilexample.com`',
    spec: 'libs/tenant/test/identification.spec.ts',
    test: 'is parsed strictly, below its base domains',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: "never with `X-Forwarded-For`, whatever the platform's `trust proxy` says",
    spec: 'libs/tenant/test/identification.spec.ts',
    test: 'ignores the trust proxy setting of the platform',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: 'after all guards and before the handler',
    spec: 'libs/tenant/test/enforcement.spec.ts',
    test: 'compares after all guards, the last of which sets the user',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: 'and at mounts of GraphQL and their sockets: 403',
    spec: 'test/tenant-graphql.spec.ts',
    test: 'nor does a subscriber, whom onConnect knows',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: 'Where it names one, as by subdomain, `verify` compares it',
    spec: 'libs/tenant/test/enforcement.spec.ts',
    test: 'need no tenant in a preflight, and verify one that it names',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: 'have `enableCors()` answer first',
    spec: 'libs/tenant/test/identification.spec.ts',
    test: 'is not required in a preflight',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: "never a tool's arguments",
    spec: 'test/tenant-tool.spec.ts',
    test: 'is never moved to another tenant by its arguments: %s',
  },
  {
    page: 'libs/tenant/docs/strategies.md',
    words: 'a stranger gets the same 401 for each tenant',
    spec: 'libs/tenant/test/opaque.spec.ts',
    test: 'answer strangers at %s the same for each tenant, to the byte',
  },
  {
    page: 'libs/tenant/docs/testing.md',
    words: 'It never throws',
    spec: 'libs/tenant/test/observing.spec.ts',
    test: 'tenantLogFields() is empty and throws nothing where there is no tenant',
  },
];
