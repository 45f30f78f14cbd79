import type { CheckedClient } from '../../check/checked-server.js';

/** The option of the module. */
export interface CheckOption {
  /**
   * Checks at startup whether clients, directories and scanners would reject what is published, and logs a warning for
   * each broken rule. `true`: the rules of all of them. A list: the rules of these, such as `['claude', 'openai']`.
   * `false`: no rules. `fledge mcp check` checks the same rules.
   * @default only the rules by which clients drop all tools or some of them: N1, N6 and S4
   */
  readonly check?: boolean | readonly CheckedClient[];
}
