import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { SignedInGuard } from './signed-in.guard.js';
import { TokensService } from './tokens.service.js';
import { UsersService } from './users.service.js';

@Module({
  providers: [UsersService, TokensService, { provide: APP_GUARD, useClass: SignedInGuard }],
  exports: [UsersService, TokensService],
})
export class UsersModule {}
