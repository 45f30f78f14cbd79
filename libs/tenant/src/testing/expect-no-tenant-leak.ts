import type { INestApplication } from '@nestjs/common';
import { Agent, request } from 'node:http';
import {
  callback,
  count,
  kind,
  type OptionTable,
  readOptions,
  texts,
} from '@fledge-internal/options';
import { placeOf } from '../option-rules.js';
import { TenantOptionError } from '../tenant.errors.js';
import { type TenantLeak, TenantLeakError } from './tenant-leak.errors.js';

/** Options of `expectNoTenantLeak()`. */
export interface TenantLeakOptions {
  /** Two or more tenants. Their requests are mixed. */
  readonly tenants: readonly string[];
  /** Total number of requests. @default 400 */
  readonly requests?: number;
  /**
   * Paths whose responses contain the tenant. Each request uses a random path.
   * @default ['/whoami']
   */
  readonly paths?: readonly string[];
  /**
   * Returns the headers of a request for a tenant. Null means that the request has no tenant.
   * @default the header `x-tenant-id`
   */
  readonly headersFor?: (tenant: string | null) => Record<string, string>;
  /**
   * Reads the tenant of a response. Returns null if the response says that there is no tenant.
   * Returns undefined if the response does not contain this information.
   * @default `tenantId` of JSON responses below 400
   */
  readonly tenantOf?: (answer: TenantAnswer) => string | null | undefined;
  /** Share of requests without a tenant, from 0 to 1. @default 0.5 */
  readonly withoutTenant?: number;
  /** Number of keep-alive connections. @default 8 */
  readonly connections?: number;
}

export interface TenantAnswer {
  readonly status: number;
  readonly body: string;
}

const OPTIONS = {
  tenants: texts.required,
  requests: count.default(400),
  paths: texts.default(['/whoami']),
  headersFor: callback<NonNullable<TenantLeakOptions['headersFor']>>().default(headerOf),
  tenantOf: callback<NonNullable<TenantLeakOptions['tenantOf']>>().default(tenantIdOf),
  withoutTenant: kind<number>(
    'a number from 0 to 1',
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
  ).default(0.5),
  connections: count.default(8),
} satisfies OptionTable<TenantLeakOptions>;

/**
 * Sends many concurrent requests to a listening application, over a few keep-alive connections. The
 * requests have different tenants or no tenant. Compares the tenant of each response with the
 * tenant of its request.
 *
 * @returns the number of requests
 * @throws TenantLeakError if a response has the wrong tenant
 * @throws TenantOptionError if there are fewer than two tenants, or no response contains a tenant
 * @example
 * ```ts
 * await expectNoTenantLeak(app, { tenants: ['acme', 'beta'], paths: ['/whoami'] });
 * ```
 */
export async function expectNoTenantLeak(
  app: INestApplication,
  options: TenantLeakOptions,
): Promise<number> {
  const place = placeOf('expectNoTenantLeak');
  const { tenants, requests, paths, connections, headersFor, tenantOf, withoutTenant } =
    readOptions(options, OPTIONS, place);
  if (new Set(tenants).size < 2) {
    throw new TenantOptionError('expectNoTenantLeak() needs two or more different tenants.');
  }
  const base = (await app.getUrl()).replace('[::1]', 'localhost');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const leaks: TenantLeak[] = [];
  let answers = 0;

  const askOnce = async (): Promise<void> => {
    const asked = Math.random() < withoutTenant ? null : pick(tenants);
    const url = new URL(pick(paths), base).href;
    const answer = await ask(url, headersFor(asked), agent);
    const answered = tenantOf(answer);
    if (answered !== undefined) answers += 1;
    // If the request had a tenant, a response without a tenant is a lost context. If the request
    // had no tenant, a rejection is correct.
    const right = asked === null ? answered === null || answered === undefined : answered === asked;
    if (!right) leaks.push({ asked, answered, status: answer.status, url });
  };

  try {
    await Promise.all(
      Array.from({ length: connections }, async (_, worker) => {
        for (let i = worker; i < requests; i += connections) await askOnce();
      }),
    );
  } finally {
    agent.destroy();
  }
  if (leaks.length > 0) throw new TenantLeakError(leaks, requests);
  if (answers === 0) throw nothingTested(paths);
  return requests;
}

function nothingTested(paths: readonly string[]): TenantOptionError {
  return new TenantOptionError(
    `No response of ${paths.join(', ')} contained a tenant, so nothing was tested. Return ` +
      '{ tenantId } from the routes, or read the tenant with ' +
      'expectNoTenantLeak(app, { tenantOf }).',
  );
}

function ask(url: string, headers: Record<string, string>, agent: Agent): Promise<TenantAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function headerOf(tenant: string | null): Record<string, string> {
  return tenant === null ? {} : { 'x-tenant-id': tenant };
}

function tenantIdOf({ status, body }: TenantAnswer): string | null | undefined {
  if (status >= 400) return undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    const tenantId = (parsed as { tenantId?: unknown } | null)?.tenantId;
    return typeof tenantId === 'string' || tenantId === null ? tenantId : undefined;
  } catch {
    return undefined;
  }
}

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)]!;
}
