import type { CheckedClient } from '../../check/checked-server.js';

/** Module option for checks at startup. */
export interface CheckOption {
  /**
   * Checks everything that is published at startup against the rules of clients, directories and
   * scanners. Logs a warning for each broken rule. `true`: all rules. A list such as `['claude',
   * 'openai']`: only the rules of these clients. `false`: no rules. `fledge mcp check` checks the
   * same rules.
   * @default the rules for which clients drop all or some tools: N1, N6 and S4
   */
  readonly check?: boolean | readonly CheckedClient[];
}
