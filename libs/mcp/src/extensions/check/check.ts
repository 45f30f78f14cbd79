import { type OptionTable, rule, someOf } from '@fledge-internal/options';
import { checkServers, findingText } from '../../check/check-server.js';
import { CHECKED_CLIENTS, type CheckedClient } from '../../check/checked-server.js';
import type { McpExtension } from '../../serve/methods/extension.js';
import type { CheckOption } from './check-options.js';

interface Checks {
  readonly clients: readonly CheckedClient[];
  /** Ids of the rules to check. Undefined: all rules. */
  readonly rules: readonly string[] | undefined;
}

const clients = someOf(...CHECKED_CLIENTS);

const CHECK_OPTION = {
  check: rule((given: CheckOption['check'], place): Checks | undefined => {
    if (given === false) return undefined;
    if (given === undefined) return { clients: CHECKED_CLIENTS, rules: ['N1', 'N6', 'S4'] };
    if (given === true) return { clients: CHECKED_CLIENTS, rules: undefined };
    return { clients: clients.read(given, place), rules: undefined };
  }),
} satisfies OptionTable<CheckOption>;

/** Logs a warning at startup for everything that clients and directories would reject. */
export const check: McpExtension<CheckOption['check'], Checks> = {
  name: 'check',
  option: CHECK_OPTION.check,
  scope: 'module',

  inspect({ clients: checked, rules }, endpoints) {
    return checkServers(endpoints, checked, rules)
      .filter(({ severity }) => rules !== undefined || severity !== 'info')
      .map(findingText);
  },

  create: () => Promise.resolve(undefined),
};
