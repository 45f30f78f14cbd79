import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { DEMO_COMPANIES, DEMO_OPERATOR_TOKEN } from './demo-data.js';
import { apiTokens, companies, operatorTokens, tasks, users } from './schema.js';
import { hashToken } from './token-hash.js';

/**
 * Fills an empty database with demo companies, users and tasks. Returns false if the database was
 * not empty.
 */
export async function seed(orm: PgliteDatabase): Promise<boolean> {
  if ((await orm.$count(users)) > 0) return false;
  await orm.transaction(async (tx) => {
    await tx.insert(operatorTokens).values({ tokenHash: hashToken(DEMO_OPERATOR_TOKEN) });
    for (const { id: tenantId, name, domain, users: people, tasks: todo } of DEMO_COMPANIES) {
      await tx.insert(companies).values({ id: tenantId, name }).onConflictDoNothing();
      await tx
        .insert(users)
        .values(people.map((user) => ({ ...user, tenantId, email: `${user.id}@${domain}` })));
      await tx.insert(apiTokens).values(
        people.map(({ id }) => ({
          tokenHash: hashToken(`demo-token-${id}`),
          companyId: tenantId,
          userId: id,
        })),
      );
      await tx.insert(tasks).values(
        todo.map(([title, status, priority, dueInDays, assigneeId]) => ({
          tenantId,
          title,
          status,
          priority,
          dueDate: dueInDays === null ? null : isoDateIn(dueInDays),
          assigneeId,
          createdBy: people[0]!.id,
          completedAt: status === 'done' ? new Date() : null,
        })),
      );
    }
  });
  return true;
}

function isoDateIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
