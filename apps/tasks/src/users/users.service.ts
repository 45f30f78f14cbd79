import { Injectable } from '@nestjs/common';
import { eq, or, type SQL } from 'drizzle-orm';
import { Database } from '../database/database.js';
import { users } from '../database/schema.js';
import { hashToken } from '../database/token-hash.js';

/** A user as clients see it. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

@Injectable()
export class UsersService {
  constructor(private readonly database: Database) {}

  findByToken(token: string): Promise<User | undefined> {
    return this.findWhere(eq(users.tokenHash, hashToken(token)));
  }

  /** @param handle an id or an e-mail address, in any case */
  findByHandle(handle: string): Promise<User | undefined> {
    const wanted = handle.toLowerCase();
    return this.findWhere(or(eq(users.id, wanted), eq(users.email, wanted)));
  }

  private async findWhere(condition: SQL | undefined): Promise<User | undefined> {
    const [user] = await this.database.orm
      .select({ id: users.id, name: users.name, email: users.email })
      .from(users)
      .where(condition)
      .limit(1);
    return user;
  }
}
