import {
  callback,
  flag,
  kind,
  type OptionTable,
  Place,
  type ReadOptions,
  readOptions,
  text,
} from '@fledge-internal/options';
import { callers } from './callers/caller-options.js';
import { PanelOptionError, PanelUnprotectedError } from './panel.errors.js';
import type { PanelAuthorize, PanelOptions } from './panel.options.js';

const OPTIONS = {
  enabled: flag.optional,
  authorize: callback<PanelAuthorize>().optional,
  hosts: kind<readonly string[]>(
    "a list of host names without a port, such as ['dev.example.com']",
    (value) => Array.isArray(value) && value.every(isHostName),
  ).default([]),
  name: text.optional,
  callers,
} satisfies OptionTable<PanelOptions>;

/** The options with every default applied. Hosts are in lower case. */
export interface ResolvedPanelOptions extends ReadOptions<typeof OPTIONS> {
  readonly enabled: boolean;
  /**
   * True if `callers` are configured but not used, because test credentials must not be used in
   * production.
   */
  readonly leavesOutCallers: boolean;
}

/** The path of the panel below the global prefix. */
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
  const read = readOptions(options, OPTIONS, placeOf('PanelModule.forRoot'));
  const { enabled, authorize, hosts, callers: given } = read;
  const production = environment === 'production';
  if (production && enabled === true && authorize === undefined) throw new PanelUnprotectedError();
  return {
    ...read,
    enabled: enabled ?? (!production || authorize !== undefined),
    hosts: hosts.map((host) => host.toLowerCase()),
    callers: production ? [] : given,
    leavesOutCallers: production && given.length > 0,
  };
}

function isHostName(host: unknown): boolean {
  return typeof host === 'string' && /^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(host);
}

/** @param call the call that receives the options */
export function placeOf(call: string): Place {
  return Place.ofCall((message) => new PanelOptionError(message), call);
}
