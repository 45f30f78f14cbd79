import { type TenantAdapterOptions, TenantModule } from '@fledge/tenant';
import { drizzleQuery, TenantRlsModule } from '@fledge/tenant/rls';
import { Module } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { AuthenticatedRequest } from '../users/current-user.decorator.js';
import { TokensService } from '../users/tokens.service.js';
import { UsersModule } from '../users/users.module.js';
import { CompaniesService } from './companies.service.js';

@Module({ providers: [CompaniesService], exports: [CompaniesService] })
class CompaniesModule {}

/**
 * For which company a request is: the one its token belongs to, or the one it asks for by
 * `X-Tenant-ID`, which has to be the same.
 */
export const CompanyTenancy = TenantModule.forRootAsync({
  imports: [CompaniesModule, UsersModule],
  inject: [CompaniesService, TokensService],
  useFactory: (companies: CompaniesService, tokens: TokensService): TenantAdapterOptions => ({
    strategy: ['header', { type: 'function', name: 'token', resolve: () => companyOf(tokens) }],
    store: companies,
    verify: {
      principal: (req) => (req as Partial<AuthenticatedRequest>).companyId,
      required: true,
    },
  }),
});

/** Keeps the application from starting on a database that would mix companies up. */
export const CompanyWalls = TenantRlsModule.forRootAsync({
  inject: [Database],
  useFactory: ({ central }: Database) => ({
    query: drizzleQuery(central),
    tables: ['users', 'tasks'],
    // PGlite has one connection, which begins as a superuser and cannot begin as another role.
    accept: ['ROLE_ESCAPES tasks_app postgres'],
  }),
});

async function companyOf(tokens: TokensService): Promise<string> {
  return (await tokens.owner()).companyId;
}
