import type { CheckedClient } from '../../check/checked-server.js';

/** Module option for checks at startup. */
export interface CheckOption {
  /**
   * Checks at startup whether clients, directories and scanners would reject anything that is
   * published, and logs a warning for each broken rule. `true`: all rules. A list such as
   * `['claude', 'openai']`: only the rules of these clients. `false`: no rules. `fledge mcp check`
   * checks the same rules.
   * @default the rules for which clients drop all or some tools: N1, N6 and S4
   */
  readonly check?: boolean | readonly CheckedClient[];
}
