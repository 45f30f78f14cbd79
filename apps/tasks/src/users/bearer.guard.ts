import { RequestContext } from '@fledge/core';
import { Tenancy } from '@fledge/tenant';
import {
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from './current-user.decorator.js';
import { Public } from './public.decorator.js';
import { TokensService } from './tokens.service.js';
import { UsersService } from './users.service.js';

/** Lets a request pass with the API token of a user, and puts that user on the request. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
    private readonly users: UsersService,
    private readonly tenancy: Tenancy,
    private readonly ctx: RequestContext,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) {
      return true;
    }
    const { companyId, userId } = await this.tokens.owner();
    // In their own company, whichever the request asks for: whether that is theirs is checked next.
    const user = await this.tenancy.run(companyId, () => this.users.findById(userId));
    if (user === undefined) throw new UnauthorizedException('No user has this API token');
    Object.assign(this.ctx.req, { user, companyId } satisfies AuthenticatedRequest);
    return true;
  }
}
