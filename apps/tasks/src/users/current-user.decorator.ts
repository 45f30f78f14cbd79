import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { User } from './users.service.js';

/** A request that passed `BearerGuard`, on Express as on Fastify. */
export interface AuthenticatedRequest {
  readonly headers: IncomingHttpHeaders;
  user: User;
}

/** The user whose token came with the request. */
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): User =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);
