import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { PanelOptionError, PanelUnprotectedError } from './panel.errors.js';
import type { PanelAuthorize, PanelOptions } from './panel.options.js';

/** The options with every default applied. */
export interface ResolvedPanelOptions {
  readonly enabled: boolean;
  readonly authorize: PanelAuthorize | undefined;
  /** In lower case. */
  readonly hosts: readonly string[];
  readonly name: string | undefined;
}

const KNOWN: KnownOptions<PanelOptions> = {
  enabled: true,
  authorize: true,
  hosts: true,
  name: true,
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
  const { enabled, authorize, hosts = [], name } = options;
  const production = environment === 'production';
  if (authorize !== undefined && typeof authorize !== 'function') {
    throw bad('authorize', 'a function: (request) => boolean');
  }
  if (enabled !== undefined && typeof enabled !== 'boolean') throw bad('enabled', 'true or false');
  if (!Array.isArray(hosts) || !hosts.every(isHostName)) {
    throw bad('hosts', "a list of host names without port, such as ['dev.example.com']");
  }
  if (name !== undefined && typeof name !== 'string') throw bad('name', 'a text');
  if (production && enabled === true && authorize === undefined) throw new PanelUnprotectedError();
  return {
    enabled: enabled ?? (!production || authorize !== undefined),
    authorize,
    hosts: hosts.map((host: string) => host.toLowerCase()),
    name,
  };
}

function isHostName(host: unknown): boolean {
  return typeof host === 'string' && /^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(host);
}

function bad(option: string, expected: string): PanelOptionError {
  return new PanelOptionError(`PanelModule.forRoot({ ${option} }) must be ${expected}.`);
}
