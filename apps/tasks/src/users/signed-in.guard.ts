import { RequestContext } from '@fledge/core';
import {
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Public } from './public.decorator.js';

/**
 * Rejects requests without a user. If a controller lacks `@LoadUser`, its routes respond with 401.
 */
@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly ctx: RequestContext,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) {
      return true;
    }
    if (this.ctx.get('user') !== undefined) return true;
    throw new UnauthorizedException('Send an API token: Authorization: Bearer <token>');
  }
}
