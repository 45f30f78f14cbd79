import { Injectable, NotFoundException } from '@nestjs/common';
import { eq, or, type SQL } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { Tenancy } from '@fledge/tenant';
import { Database, type TenantTransaction } from '../database/database.js';
import { apiTokens, users } from '../database/schema.js';
import { hashToken } from '../database/token-hash.js';
import type { User } from './user.js';

/** The first user of each new company. */
export const FIRST_USER = { id: 'admin', name: 'Administrator' } as const;

/** The users of the current company. */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly tenancy: Tenancy,
  ) {}

  findById(id: string): Promise<User | undefined> {
    return this.database.inTenant((tx) => findWhere(tx, eq(users.id, id)));
  }

  /** @param handle an id or an e-mail address; upper and lower case are equal */
  findByHandle(tx: TenantTransaction, handle: string): Promise<User | undefined> {
    const wanted = handle.toLowerCase();
    return findWhere(tx, or(eq(users.id, wanted), eq(users.email, wanted)));
  }

  /** Adds the first user of the current company. Does nothing if the user already exists. */
  async createFirst(): Promise<void> {
    const email = `${FIRST_USER.id}@${this.tenancy.current().tenantId}.example`;
    await this.database.inTenant((tx) =>
      tx
        .insert(users)
        .values({ ...FIRST_USER, email })
        .onConflictDoNothing(),
    );
  }

  /**
   * Returns a new API token for a user of a company. Only the hash of the token is stored.
   * @throws NotFoundException
   */
  async issueToken(companyId: string, userId: string): Promise<string> {
    const user = await this.tenancy.run(companyId, () => this.findById(userId));
    if (user === undefined) throw new NotFoundException(`${companyId} has no user ${userId}`);
    const token = randomBytes(24).toString('base64url');
    const tokenHash = hashToken(token);
    await this.database.central.insert(apiTokens).values({ tokenHash, companyId, userId });
    return token;
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
