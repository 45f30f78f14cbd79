import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { BearerGuard } from './bearer.guard.js';
import { UsersService } from './users.service.js';

@Module({
  providers: [UsersService, { provide: APP_GUARD, useClass: BearerGuard }],
  exports: [UsersService],
})
export class UsersModule {}
