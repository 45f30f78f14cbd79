import { Injectable } from '@nestjs/common';
import { eq, or, type SQL } from 'drizzle-orm';
import { Database, type TenantTransaction } from '../database/database.js';
import { users } from '../database/schema.js';
import type { User } from './user.js';

/** The users of the current company. */
@Injectable()
export class UsersService {
  constructor(private readonly database: Database) {}

  findById(id: string): Promise<User | undefined> {
    return this.database.inTenant((tx) => findWhere(tx, eq(users.id, id)));
  }

  /** @param handle an id or an e-mail address, in any case */
  findByHandle(tx: TenantTransaction, handle: string): Promise<User | undefined> {
    const wanted = handle.toLowerCase();
    return findWhere(tx, or(eq(users.id, wanted), eq(users.email, wanted)));
  }
}

async function findWhere(
  tx: TenantTransaction,
  condition: SQL | undefined,
): Promise<User | undefined> {
  const [user] = await tx
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(condition)
    .limit(1);
  return user;
}
