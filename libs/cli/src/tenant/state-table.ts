import { fit, lengthOf } from '../output/columns.js';
import { printable, styled, type Terminal } from '../output/terminal.js';
import type { ListedTenant, State } from './app-messages.js';

const HEADER = ['Tenant', 'Status', 'Migration', 'Target', 'Attempt', 'At', 'Notes'];

/**
 * Formats states as a table. In a pipe, there is one line per tenant, with tabs between the
 * columns.
 */
export function stateTable(states: readonly State[], terminal: Terminal): string {
  const rows = states.map((state) => cellsOf(state).map((cell) => printable(terminal, cell)));
  if (terminal.kind === 'pipe') return rows.map((row) => `${row.join('\t')}\n`).join('');
  const widths = HEADER.map((_, i) =>
    Math.max(...[HEADER, ...rows].map((row) => lengthOf(row[i] ?? ''))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => fit(cell, widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [styled(terminal, 'bold', line(HEADER)), ...rows.map(line)]
    .map((it) => `${it}\n`)
    .join('');
}

/** Formats a tenant of the store: id and status, or the reason why its record is invalid. */
export function listedLine({ tenantId, status = '', invalid }: ListedTenant): string {
  return invalid === undefined ? `${tenantId}\t${status}` : `${tenantId}\tinvalid\t${invalid}`;
}

function cellsOf(state: State): string[] {
  const { tenant, status, invalid, migration, steps, pending = [], pendingError } = state;
  const step = steps.find((it) => it.step === 'migrate');
  const errors = steps.flatMap((it) => {
    if (it.error === undefined) return [];
    return it === step ? [it.error] : [`${it.step}: ${it.error}`];
  });
  const isHalted = steps.some((it) => it.status === 'failed' || it.status === 'interrupted');
  const halted =
    status === 'provisioning' && isHalted
      ? `creation not finished: fledge tenant create ${tenant} --resume`
      : '';
  const lacking = pending.length === 0 ? '' : `pending: ${pending.join(', ')}`;
  const unknown = pendingError === undefined ? '' : `pending: ${pendingError}`;
  return [
    tenant ?? '(central)',
    status ?? '',
    migration,
    step?.target ?? '',
    step === undefined ? '' : String(step.attempt),
    step?.finishedAt ?? step?.startedAt ?? '',
    [invalid === undefined ? '' : `invalid record: ${invalid}`, ...errors, lacking, unknown, halted]
      .filter((it) => it !== '')
      .join('; ')
      .replace(/\s+/g, ' '),
  ];
}
