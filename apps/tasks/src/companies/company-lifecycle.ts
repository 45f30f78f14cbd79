import { singleConnectionLedger, TenantLifecycleModule } from '@fledge/tenant/lifecycle';
import { Module } from '@nestjs/common';
import { Database } from '../database/database.js';
import { UsersModule } from '../users/users.module.js';
import { UsersService } from '../users/users.service.js';
import { CompaniesController } from './companies.controller.js';
import { CompaniesModule } from './companies.module.js';

/**
 * Companies are created, suspended and removed: by operators and their agents while the application runs, and by
 * `fledge tenant` while it does not, because PGlite serves one process.
 */
@Module({
  imports: [
    TenantLifecycleModule.forRootAsync({
      imports: [UsersModule],
      inject: [Database, UsersService],
      useFactory: ({ central }: Database, users: UsersService) => ({
        ledger: singleConnectionLedger(central.$client),
        // The tables are shared. All that a new company needs is somebody who can sign in.
        tenant: { seed: () => users.createFirst() },
      }),
    }),
    CompaniesModule,
    UsersModule,
  ],
  controllers: [CompaniesController],
})
export class CompanyLifecycle {}
