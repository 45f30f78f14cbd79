import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { checkCallers } from './callers/caller-options.js';
import { PanelOptionError, PanelUnprotectedError } from './panel.errors.js';
import type { PanelAuthorize, PanelCallerOptions, PanelOptions } from './panel.options.js';

/** The options with every default applied. */
export interface ResolvedPanelOptions {
  readonly enabled: boolean;
  readonly authorize: PanelAuthorize | undefined;
  /** In lower case. */
  readonly hosts: readonly string[];
  readonly name: string | undefined;
  readonly callers: readonly PanelCallerOptions[];
  /** True if `callers` are given and left out, because they are test credentials. */
  readonly leavesOutCallers: boolean;
}

const KNOWN: KnownOptions<PanelOptions> = {
  enabled: true,
  authorize: true,
  hosts: true,
  name: true,
  callers: { known: { name: true, headers: true }, isList: true },
};

/** Where the panel is served, below the global prefix. */
export const PANEL_PATH = '/_fledge';

/**
 * Checks the options and applies the defaults.
 * @param environment `NODE_ENV`
 * @throws PanelOptionError
 * @throws PanelUnprotectedError
 */
export function resolvePanelOptions(
  options: PanelOptions,
  environment: string | undefined,
): ResolvedPanelOptions {
  refuseUnknownOptions(options, KNOWN, 'PanelModule.forRoot', PanelOptionError);
  const { enabled, authorize, hosts = [], name, callers = [] } = options;
  const production = environment === 'production';
  if (authorize !== undefined && typeof authorize !== 'function') {
    throw bad('authorize', 'a function: (request) => boolean');
  }
  if (enabled !== undefined && typeof enabled !== 'boolean') throw bad('enabled', 'true or false');
  if (!Array.isArray(hosts) || !hosts.every(isHostName)) {
    throw bad('hosts', "a list of host names without port, such as ['dev.example.com']");
  }
  if (name !== undefined && typeof name !== 'string') throw bad('name', 'a text');
  checkCallers(callers);
  if (production && enabled === true && authorize === undefined) throw new PanelUnprotectedError();
  return {
    enabled: enabled ?? (!production || authorize !== undefined),
    authorize,
    hosts: hosts.map((host: string) => host.toLowerCase()),
    name,
    callers: production ? [] : callers,
    leavesOutCallers: production && callers.length > 0,
  };
}

function isHostName(host: unknown): boolean {
  return typeof host === 'string' && /^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(host);
}

function bad(option: string, expected: string): PanelOptionError {
  return new PanelOptionError(`PanelModule.forRoot({ ${option} }) must be ${expected}.`);
}
