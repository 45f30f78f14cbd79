import type { INestApplication } from '@nestjs/common';
import { Agent, request } from 'node:http';
import { type TenantLeak, TenantLeakError } from './tenant-leak.errors.js';

/** What is asked of the application, and how its answers are read. */
export interface TenantLeakOptions {
  /** Tenants to mix, two or more. */
  readonly tenants: readonly string[];
  /** Requests in all. @default 400 */
  readonly requests?: number;
  /** Paths that answer with their tenant; each request asks a random one. @default ['/whoami'] */
  readonly paths?: readonly string[];
  /** The headers a request for a tenant carries; for null, one for nobody. @default `x-tenant-id` */
  readonly headersFor?: (tenant: string | null) => Record<string, string>;
  /** The tenant an answer tells; null for nobody, undefined for an answer that tells nothing. @default its JSON's `tenantId` */
  readonly tenantOf?: (answer: TenantAnswer) => string | null | undefined;
  /** The part of requests that are for nobody, from 0 to 1. @default 0.5 */
  readonly withoutTenant?: number;
  /** Keep-alive connections the requests share. @default 8 */
  readonly connections?: number;
}

export interface TenantAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Asks a listening application many things at once, for several tenants and for nobody, over few
 * keep-alive connections, and holds each answer against whom it was asked for.
 *
 * @returns how many requests were asked
 * @throws TenantLeakError naming the answers that were another's
 * @example
 * ```ts
 * await expectNoTenantLeak(app, { tenants: ['acme', 'beta'], paths: ['/whoami'] });
 * ```
 */
export async function expectNoTenantLeak(
  app: INestApplication,
  options: TenantLeakOptions,
): Promise<number> {
  const { tenants, requests = 400, paths = ['/whoami'], connections = 8 } = options;
  const { headersFor = headerOf, tenantOf = toldTenant, withoutTenant = 0.5 } = options;
  if (new Set(tenants).size < 2) {
    throw new RangeError('expectNoTenantLeak() needs two tenants or more to mix up.');
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
    // For a tenant, an answer that tells none is lost context; for nobody, a refusal is right.
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
  if (answers === 0) {
    throw new Error(
      `No answer of ${paths.join(', ')} told a tenant, so nothing was tested. Answer { tenantId }, ` +
        'or read your answers with expectNoTenantLeak(app, { tenantOf }).',
    );
  }
  return requests;
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

function toldTenant({ status, body }: TenantAnswer): string | null | undefined {
  if (status >= 400) return undefined;
  try {
    const told: unknown = JSON.parse(body);
    const tenantId = (told as { tenantId?: unknown } | null)?.tenantId;
    return typeof tenantId === 'string' || tenantId === null ? tenantId : undefined;
  } catch {
    return undefined;
  }
}

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)]!;
}
