import { printable, styled, type Terminal } from '../output/terminal.js';
import type { Ended, Outcome, Progress } from './app-messages.js';

export type Counts = Partial<Record<Outcome['status'], number>>;

/** Counts the outcomes of tenants by status. The central database is not counted. */
export function countsOf(outcomes: readonly Outcome[]): Counts {
  const counts: Counts = {};
  for (const { tenant, status } of outcomes) {
    if (tenant !== null) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const COLORS = { failed: 'red', locked: 'yellow', done: 'green' } as const;

/**
 * Formats an outcome. On a terminal, returns an empty string for a successful outcome, because the
 * progress bar counts it. In a pipe, returns the tenant, the step, the status, the milliseconds and
 * the error or reason, separated by tabs.
 */
export function outcomeLine(outcome: Outcome, terminal: Terminal): string {
  const { tenant, step, status, ms, reason = '', error = reason } = outcome;
  const name = tenant ?? '(central)';
  const note = error.replace(/\s+/g, ' ').trim();
  if (terminal.kind === 'pipe') return `${[name, step, status, ms, note].join('\t')}\n`;
  const isQuiet =
    status === 'current' ||
    (status === 'skipped' && note === '') ||
    (status === 'done' && tenant !== null);
  if (isQuiet) return '';
  const color = COLORS[status as keyof typeof COLORS];
  const shown = color === undefined ? status : styled(terminal, color, status);
  return `${shown}  ${printable(terminal, `${name}  ${step}  ${note}`).trimEnd()}\n`;
}

const BAR_WIDTH = 24;

/** Formats the progress of a run, for example as `[######------] 100/200 3 failed`. */
export function progressBar({ finished, total }: Progress, { failed = 0 }: Counts): string {
  const filled = total === 0 ? 0 : Math.round((finished / total) * BAR_WIDTH);
  const bar = `${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}`;
  return `[${bar}] ${finished}/${total}${failed === 0 ? '' : ` ${failed} failed`}`;
}

const ORDER = ['done', 'current', 'failed', 'locked', 'skipped', 'pending'] as const;

const STOPPED = {
  central: 'The migration of the central database failed, so no tenant was migrated.',
  canary: 'A canary tenant failed, so the run stopped.',
  failures: 'The maximum number of failures was reached, so the run stopped.',
  signal: 'The run was interrupted. Tenants in progress were finished.',
  ledger: 'The connection to the ledger was lost, so the run stopped.',
  unlisted:
    'The store cannot list tenants until the central database is migrated. Migrate that database, then repeat the dry run.',
} as const;

/**
 * Formats the summary of a run, such as `200 tenants: 197 done, 3 failed.`. Adds the next step for
 * the user.
 */
export function summaryOf(counts: Counts, { ok, stopped }: Ended): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const list = ORDER.filter((status) => counts[status]).map(
    (status) => `${counts[status]} ${status}`,
  );
  const head = `${total} ${total === 1 ? 'tenant' : 'tenants'}${list.length > 0 ? `: ${list.join(', ')}` : ''}.`;
  const reason = stopped === undefined ? '' : ` ${STOPPED[stopped]}`;
  const cure = ok ? '' : ' Run the command again for the remaining tenants.';
  return `${head}${reason}${cure}\n`;
}
