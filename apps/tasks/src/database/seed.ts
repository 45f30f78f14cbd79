import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { hashToken } from './token-hash.js';
import { tasks, users, type TaskPriority, type TaskStatus } from './schema.js';

/** API token of the first demo user, printed at start. */
export const DEMO_TOKEN = 'demo-token-ada';

const DEMO_USERS = [
  { id: 'ada', name: 'Ada Lovelace', token: DEMO_TOKEN },
  { id: 'grace', name: 'Grace Hopper', token: 'demo-token-grace' },
  { id: 'alan', name: 'Alan Turing', token: 'demo-token-alan' },
] as const;

type DemoUser = (typeof DEMO_USERS)[number]['id'];
type DemoTask = readonly [
  title: string,
  status: TaskStatus,
  priority: TaskPriority,
  dueInDays: number | null,
  assignee: DemoUser | null,
];

const DEMO_TASKS: readonly DemoTask[] = [
  ['Renew the TLS certificate of the shop', 'open', 'urgent', 2, 'grace'],
  ['Prepare the slides for the quarterly review', 'in_progress', 'high', 5, 'ada'],
  ['Answer the security questionnaire of Northwind', 'open', 'high', 7, 'alan'],
  ['Restore last night’s backup to a test machine', 'open', 'high', -1, 'grace'],
  ['Interview the second backend candidate', 'open', 'normal', 3, 'ada'],
  ['Upgrade the build servers to Node 22', 'in_progress', 'normal', 14, 'alan'],
  ['Write the onboarding guide for support', 'open', 'normal', 21, null],
  ['Find out why the nightly export takes 90 minutes', 'in_progress', 'high', 4, 'grace'],
  ['Raise invoice reminders from 14 to 30 days', 'open', 'low', null, null],
  ['Order badges for the new office', 'open', 'low', 30, 'ada'],
  ['Publish the release notes of version 4.2', 'done', 'normal', -3, 'ada'],
  ['Close the accounts of people who left', 'done', 'urgent', -7, 'alan'],
];

/** Fills an empty database with demo users and tasks; answers whether it did. */
export async function seed(orm: PgliteDatabase): Promise<boolean> {
  if ((await orm.$count(users)) > 0) return false;
  await orm.transaction(async (tx) => {
    await tx.insert(users).values(
      DEMO_USERS.map(({ id, name, token }) => ({
        id,
        name,
        email: `${id}@example.com`,
        tokenHash: hashToken(token),
      })),
    );
    await tx.insert(tasks).values(
      DEMO_TASKS.map(([title, status, priority, dueInDays, assigneeId]) => ({
        title,
        status,
        priority,
        dueDate: dueInDays === null ? null : isoDateIn(dueInDays),
        assigneeId,
        createdBy: 'ada',
        completedAt: status === 'done' ? new Date() : null,
      })),
    );
  });
  return true;
}

function isoDateIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
