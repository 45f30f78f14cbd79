import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { BearerGuard } from './bearer.guard.js';
import { TokensService } from './tokens.service.js';
import { UsersService } from './users.service.js';

@Module({
  providers: [UsersService, TokensService, { provide: APP_GUARD, useClass: BearerGuard }],
  exports: [UsersService, TokensService],
})
export class UsersModule {}
