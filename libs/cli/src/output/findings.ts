import type { CheckFinding, CheckPlace, CheckSeverity } from '@fledge/mcp/check';
import { printable, styled, type Terminal } from './terminal.js';

const COLORS = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

/** Maximum number of places shown for a finding. Further places are only counted. */
const MOST_PLACES = 10;

/**
 * Formats findings. For each finding, shows the fix, the clients, the source of the rule, and the
 * places. The last line is the number of findings.
 */
export function findingsText(findings: readonly CheckFinding[], terminal: Terminal): string {
  const blocks = findings.map(
    ({ rule, severity, text, fix, clients, source, date, places }) =>
      `${styled(terminal, COLORS[severity], severity)} ${rule}: ${text}\n` +
      `  ${fix}\n` +
      `  ${styled(terminal, 'dim', `${clients.join(', ')}: ${source}, ${date}`)}\n` +
      `  ${printable(terminal, placesText(places))}\n\n`,
  );
  return `${blocks.join('')}${summaryOf(findings)}\n`;
}

function placesText(places: readonly CheckPlace[]): string {
  const shown = places.slice(0, MOST_PLACES).map(({ tool, parameter, detail }) => {
    const at = [tool, parameter].filter((each) => each !== undefined).join('.') || 'the server';
    return detail === undefined ? at : `${at} (${detail})`;
  });
  const more = places.length - shown.length;
  return `in ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function summaryOf(findings: readonly CheckFinding[]): string {
  if (findings.length === 0) return 'No findings.';
  const counts = (['error', 'warning', 'info'] as const satisfies readonly CheckSeverity[]).flatMap(
    (severity) => {
      const count = findings.filter((finding) => finding.severity === severity).length;
      return count === 0
        ? []
        : `${count} ${severity}${count === 1 || severity === 'info' ? '' : 's'}`;
    },
  );
  return `${counts.join(', ')}.`;
}
