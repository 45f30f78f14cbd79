import { singleConnectionLedger, TenantLifecycleModule } from '@fledge/tenant/lifecycle';
import { Module } from '@nestjs/common';
import { Database } from '../database/database.js';
import { UsersModule } from '../users/users.module.js';
import { UsersService } from '../users/users.service.js';
import { CompaniesController } from './companies.controller.js';
import { CompaniesModule } from './companies.module.js';

/**
 * Creates, suspends and removes companies. Operators and their agents do this while the application
 * runs. `fledge tenant` does it while the application is stopped, because only one process can open
 * PGlite.
 */
@Module({
  imports: [
    TenantLifecycleModule.forRootAsync({
      imports: [UsersModule],
      inject: [Database, UsersService],
      useFactory: ({ central }: Database, users: UsersService) => ({
        ledger: singleConnectionLedger(central.$client),
        // All companies share the tables, so a new company only needs a user who can sign in.
        tenant: { seed: () => users.createFirst() },
      }),
    }),
    CompaniesModule,
    UsersModule,
  ],
  controllers: [CompaniesController],
})
export class CompanyLifecycle {}
