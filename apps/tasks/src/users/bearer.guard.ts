import {
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from './current-user.decorator.js';
import { Public } from './public.decorator.js';
import { UsersService } from './users.service.js';

/** Lets a request pass with the API token of a user, and puts that user on the request. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly users: UsersService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) {
      return true;
    }
    const request = context.switchToHttp().getRequest<Partial<AuthenticatedRequest>>();
    const token = /^Bearer +(\S+) *$/i.exec(request.headers?.authorization ?? '')?.[1];
    if (token === undefined) {
      throw new UnauthorizedException('Send an API token: Authorization: Bearer <token>');
    }
    const user = await this.users.findByToken(token);
    if (user === undefined) throw new UnauthorizedException('No user has this API token');
    request.user = user;
    return true;
  }
}
