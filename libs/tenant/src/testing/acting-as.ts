import type { INestApplicationContext } from '@nestjs/common';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { listDefinitions, type StrategyDefinition } from '../identify/create-sources.js';
import { runOrRefuse } from '../scope/run-in-scope.js';
import { Tenancy } from '../scope/tenancy.js';
import type { TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantOptionError, UnknownTenantError } from '../tenant.errors.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { UnknownTestTenantError } from './tenant-leak.errors.js';

/** Headers and paths for a tenant's requests in a test. */
export interface ActingTenant {
  /** Headers of the request, such as `x-tenant-id` or `host`. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns the path to request. If strategies read the tenant from the path, the tenant is added:
   * `/invoices` becomes `/acme/invoices`.
   */
  path(path: string): string;
}

/**
 * Returns headers and a path function for requests of a tenant. Use them in tests that send
 * requests with supertest, Fastify's `inject` or another client. Suspended tenants are accepted, so
 * you can test their responses. With `strip`, `inject` finds no routes, because the segment is
 * removed at the HTTP server.
 *
 * @throws UnknownTestTenantError if the store has no such tenant
 * @throws TenantOptionError if only functions identify the tenant. Your test must then set the
 * values that the functions read
 * @example
 * ```ts
 * const acme = await actingAs(app, 'acme');
 * await request(app.getHttpServer()).get(acme.path('/invoices')).set(acme.headers).expect(200);
 * await app.inject({ url: acme.path('/invoices'), headers: acme.headers });
 * ```
 */
export async function actingAs(
  app: INestApplicationContext,
  tenant: string,
): Promise<ActingTenant> {
  const options = app.get<ResolvedTenantOptions>(TENANT_OPTIONS, { strict: false });
  const directory = app.get(TenantDirectory, { strict: false });
  try {
    await directory.find(tenant, 'run');
  } catch (error) {
    if (error instanceof UnknownTenantError) throw await unknown(tenant, directory);
  }
  const definitions = listDefinitions(options).filter(({ type }) => type !== 'function');
  if (definitions.length === 0) {
    throw new TenantOptionError(
      'actingAs() does not support a function as `strategy`. In the requests of your test, set ' +
        'the header or parameter that the function reads.',
    );
  }
  // With `combine: 'first'`, one strategy is sufficient. A second strategy could contradict the
  // first.
  const used = options.combine === 'agree' ? definitions : definitions.slice(0, 1);
  const headers = Object.assign({}, ...used.map((one) => headersFor(one, tenant))) as Headers;
  return {
    headers,
    path: (path) => used.reduce((made, one) => pathFor(one, tenant, made), path),
  };
}

/**
 * Runs a function for a tenant, as `tenancy.run()` does.
 * @throws UnknownTestTenantError if the store has no such tenant
 * @throws the errors of `tenancy.run()`
 */
export async function inTenant<R>(
  app: INestApplicationContext,
  tenant: string,
  run: (tenant: TenantContext) => R,
): Promise<Awaited<R>> {
  const tenancy = app.get(Tenancy, { strict: false });
  return runOrRefuse(
    (work: () => R) => tenancy.run(tenant, work),
    () => run(tenancy.current()),
    async (error) => {
      if (!(error instanceof UnknownTenantError)) throw error;
      throw await unknown(tenant, app.get(TenantDirectory, { strict: false }));
    },
  );
}

type Headers = Record<string, string>;

function headersFor(strategy: StrategyDefinition, tenant: string): Headers {
  switch (strategy.type) {
    case 'header':
      return { [strategy.header]: tenant };
    case 'subdomain':
      return { host: `${tenant}.${strategy.baseDomains?.[0] ?? 'localhost'}` };
    default:
      return {};
  }
}

function pathFor(strategy: StrategyDefinition, tenant: string, path: string): string {
  if (strategy.type === 'query') {
    const mark = path.includes('?') ? '&' : '?';
    return `${path}${mark}${encodeURIComponent(strategy.queryParam)}=${encodeURIComponent(tenant)}`;
  }
  if (strategy.type !== 'path') return path;
  const { after, segment } = strategy;
  const before = after.replace(/\/$/, '');
  const rest = path.startsWith(`${before}/`) ? path.slice(before.length) : path;
  const segments = rest.split('/').slice(1);
  segments.splice(segment, 0, encodeURIComponent(tenant));
  return `${before}/${segments.join('/')}`;
}

/** Contains some tenants of the store, because the test may contain a misspelled name. */
async function unknown(tenant: string, directory: TenantDirectory): Promise<Error> {
  const known = await directory.everyone().catch(() => []);
  return new UnknownTestTenantError(
    tenant,
    known.map(({ identifier, tenantId }) => identifier ?? tenantId),
  );
}
