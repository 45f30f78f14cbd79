import { defineHttpContextDecorator, FromContext } from '@fledge/core';
import { Tenancy } from '@fledge/tenant';
import { UnauthorizedException } from '@nestjs/common';
import { TokensService } from './tokens.service.js';
import type { User } from './user.js';
import { UsersService } from './users.service.js';

/**
 * Stores the id of the company that the API token belongs to, as `ctx.get('company')`. Rejects the
 * request with 401 if there is no valid token.
 */
export const LoadCompany = defineHttpContextDecorator({
  key: 'company',
  deps: { tokens: TokensService },
  resolve: async (_ctx, { tokens }): Promise<string> => (await tokens.owner()).companyId,
});

/**
 * Stores the user that the API token belongs to, as `ctx.get('user')`. Rejects the request with 401
 * if the user no longer exists.
 */
export const LoadUser = defineHttpContextDecorator({
  key: 'user',
  dependsOn: ['company'],
  deps: { tokens: TokensService, users: UsersService, tenancy: Tenancy },
  resolve: async (_ctx, { tokens, users, tenancy }): Promise<User> => {
    const { companyId, userId } = await tokens.owner();
    // Searches in the user's own company. `verify` checks later whether the request may use another
    // company.
    const user = await tenancy.run(companyId, () => users.findById(userId));
    if (user === undefined) throw new UnauthorizedException('No user has this API token');
    return user;
  },
});

/** Injects the user that `@LoadUser` stored into a handler or a resolver. */
export const CurrentUser = (): ParameterDecorator => FromContext('user');
