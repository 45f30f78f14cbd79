import { FromContext } from '@fledge/core';
import type { User } from './users.service.js';

/** A request that passed `BearerGuard`, on Express as on Fastify, over HTTP as over a socket. */
export interface AuthenticatedRequest {
  user: User;
  /** The company of the user. */
  companyId: string;
}

/** The user whose token came with the request. */
export const CurrentUser = (): ParameterDecorator => FromContext('user');
