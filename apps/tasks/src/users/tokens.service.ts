import { RequestContext } from '@fledge/core';
import { Injectable, UnauthorizedException } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { apiTokens } from '../database/schema.js';
import { hashToken } from '../database/token-hash.js';
import { bearerTokenOf } from './bearer-token.js';

/** The user that an API token belongs to. */
export interface TokenOwner {
  readonly companyId: string;
  readonly userId: string;
}

/** Finds the owners of API tokens. Each request causes at most one lookup. */
@Injectable()
export class TokensService {
  constructor(
    private readonly database: Database,
    private readonly ctx: RequestContext,
  ) {}

  /**
   * Returns the owner of the current request's token.
   * @throws UnauthorizedException
   */
  async owner(): Promise<TokenOwner> {
    const known = this.ctx.get<TokenOwner>(OWNER);
    if (known !== undefined) return known;
    const token = bearerTokenOf(this.ctx.headers);
    if (token === undefined) {
      throw new UnauthorizedException('Send an API token: Authorization: Bearer <token>');
    }
    const owner = await this.find(token);
    if (owner === undefined) throw new UnauthorizedException('No user has this API token');
    this.ctx.set(OWNER, owner);
    return owner;
  }

  private async find(token: string): Promise<TokenOwner | undefined> {
    const [owner] = await this.database.central
      .select({ companyId: apiTokens.companyId, userId: apiTokens.userId })
      .from(apiTokens)
      .where(eq(apiTokens.tokenHash, hashToken(token)));
    return owner;
  }
}

const OWNER = 'tokenOwner';
