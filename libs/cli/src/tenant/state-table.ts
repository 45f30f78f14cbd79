import { fit, lengthOf } from '../output/columns.js';
import { printable, styled, type Terminal } from '../output/terminal.js';
import type { State } from './app-messages.js';

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

function cellsOf({ tenant, status, migration, steps, pending = [] }: State): string[] {
  const step = steps.find((it) => it.step === 'migrate');
  const lacking = pending.length === 0 ? '' : `pending: ${pending.join(', ')}`;
  return [
    tenant ?? '(central)',
    status ?? '',
    migration,
    step?.target ?? '',
    step === undefined ? '' : String(step.attempt),
    step?.finishedAt ?? step?.startedAt ?? '',
    [step?.error ?? '', lacking]
      .filter((it) => it !== '')
      .join('; ')
      .replace(/\s+/g, ' '),
  ];
}
