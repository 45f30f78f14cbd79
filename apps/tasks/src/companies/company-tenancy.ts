import { RequestContext } from '@fledge/core';
import { type TenantAdapterOptions, TenantModule } from '@fledge/tenant';
import { drizzleQuery, TenantRlsModule } from '@fledge/tenant/rls';
import { Database } from '../database/database.js';
import { TokensService } from '../users/tokens.service.js';
import { UsersModule } from '../users/users.module.js';
import { CompaniesModule } from './companies.module.js';
import { CompaniesService } from './companies.service.js';

/**
 * Finds the company of a request: the one in `X-Tenant-ID`, otherwise the one that its API token
 * belongs to. If these two differ, `verify` rejects the request with 403.
 */
export const CompanyTenancy = TenantModule.forRootAsync({
  imports: [CompaniesModule, UsersModule],
  inject: [CompaniesService, TokensService, RequestContext],
  useFactory: (
    companies: CompaniesService,
    tokens: TokensService,
    ctx: RequestContext,
  ): TenantAdapterOptions => ({
    strategy: ['header', { type: 'function', name: 'token', resolve: () => companyOf(tokens) }],
    store: companies,
    // `@LoadCompany` sets this value.
    verify: { principal: () => ctx.get<string>('company'), required: true },
  }),
});

/** Stops the startup if row-level security would let a company see the rows of another company. */
export const CompanyRowSecurity = TenantRlsModule.forRootAsync({
  inject: [Database],
  useFactory: ({ central }: Database) => ({
    query: drizzleQuery(central),
    tables: ['users', 'tasks', 'agent_calls'],
    // PGlite has a single connection. It starts as a superuser and cannot start as another role.
    accept: ['ROLE_ESCAPES tasks_app postgres'],
  }),
});

async function companyOf(tokens: TokensService): Promise<string> {
  return (await tokens.owner()).companyId;
}
