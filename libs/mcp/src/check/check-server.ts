import {
  CHECKED_CLIENTS,
  type CheckedClient,
  type CheckedServer,
  type CheckFinding,
  type CheckPlace,
  type CheckSeverity,
  type Rule,
} from './checked-server.js';
import { HINT_RULES } from './hint-rules.js';
import { NAME_RULES } from './name-rules.js';
import { SCHEMA_RULES } from './schema-rules.js';
import { TEXT_RULES } from './text-rules.js';

const RULES: readonly Rule[] = [...NAME_RULES, ...HINT_RULES, ...TEXT_RULES, ...SCHEMA_RULES];

const URGENCY: readonly CheckSeverity[] = ['error', 'warning', 'info'];

/**
 * Checks a published server against the rules of clients, directories and scanners. Returns the
 * broken rules, errors first.
 * @param clients the clients whose rules are checked. By default all
 * @param rules ids of the rules that are checked, such as `N1`. By default all
 */
export function checkServer(
  server: CheckedServer,
  clients: readonly CheckedClient[] = CHECKED_CLIENTS,
  rules?: readonly string[],
): readonly CheckFinding[] {
  const found = RULES.flatMap(({ id, find, ...rule }) => {
    if (rules && !rules.includes(id)) return [];
    if (!rule.clients.some((client) => clients.includes(client))) return [];
    const places = find(server);
    return places.length === 0 ? [] : { rule: id, ...rule, places };
  });
  return byUrgency(found);
}

function byUrgency(findings: readonly CheckFinding[]): readonly CheckFinding[] {
  return findings.toSorted((a, b) => URGENCY.indexOf(a.severity) - URGENCY.indexOf(b.severity));
}

/**
 * Checks several servers, for example all endpoints of an application. Returns one finding for each
 * broken rule. A finding contains the places in all servers.
 */
export function checkServers(
  servers: readonly CheckedServer[],
  clients?: readonly CheckedClient[],
  rules?: readonly string[],
): readonly CheckFinding[] {
  const found = new Map<string, CheckFinding>();
  for (const finding of servers.flatMap((server) => checkServer(server, clients, rules))) {
    const key = `${finding.rule} ${finding.severity}`;
    const known = found.get(key)?.places ?? [];
    const isKnown = (place: CheckPlace) =>
      known.some((each) => JSON.stringify(each) === JSON.stringify(place));
    const places = [...known, ...finding.places.filter((place) => !isKnown(place))];
    found.set(key, { ...finding, places });
  }
  return byUrgency([...found.values()]);
}

/** Formats a finding as one line. The line contains only the first places. */
export function findingText({ rule, text, fix, source, date, places }: CheckFinding): string {
  const shown = places.slice(0, MOST_PLACES).map(({ tool, parameter, detail }) => {
    const at = [tool, parameter].filter((each) => each !== undefined).join('.');
    return [at, detail && (at === '' ? detail : `(${detail})`)].filter(Boolean).join(' ');
  });
  const more = places.length > MOST_PLACES ? ` and ${places.length - MOST_PLACES} more` : '';
  return `${rule}: ${text} ${fix} Found in ${shown.join(', ')}${more}. (${source}, ${date})`;
}

const MOST_PLACES = 20;
