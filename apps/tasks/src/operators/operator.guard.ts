import { RequestContext } from '@fledge/core';
import {
  type CanActivate,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { eq } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { operatorTokens } from '../database/schema.js';
import { hashToken } from '../database/token-hash.js';
import { bearerTokenOf } from '../users/bearer-token.js';

/**
 * Rejects a request without a token with 401, and a token that does not belong to an operator with
 * 403.
 */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    private readonly database: Database,
    private readonly ctx: RequestContext,
  ) {}

  async canActivate(): Promise<boolean> {
    const token = bearerTokenOf(this.ctx.headers);
    if (token === undefined) {
      throw new UnauthorizedException(
        'Send the token of an operator: Authorization: Bearer <token>',
      );
    }
    const isHash = eq(operatorTokens.tokenHash, hashToken(token));
    if ((await this.database.central.$count(operatorTokens, isHash)) > 0) return true;
    throw new ForbiddenException('This token does not belong to an operator');
  }
}
