import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { exchangeOf } from './user.js';

export const Public = () => SetMetadata('public', true);

@Injectable()
export class JwtGuard extends AuthGuard('jwt') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  canActivate(context: ExecutionContext) {
    return (
      this.reflector.get<boolean>('public', context.getHandler()) || super.canActivate(context)
    );
  }

  getRequest(context: ExecutionContext): Request {
    return exchangeOf(context).req;
  }
}
