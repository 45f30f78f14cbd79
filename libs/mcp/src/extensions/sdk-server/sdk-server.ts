import { Logger } from '@nestjs/common';
import type { AddedEntry } from '../../publish/catalogue/published-list.js';
import { hasWantedTag } from '../../publish/catalogue/selection.js';
import { SAFE_METHODS } from '../../publish/catalogue/tool-hints.js';
import { McpOptionError } from '../../mcp.errors.js';
import type { McpCapabilities } from '../../serve/methods/capabilities.js';
import type { ExtendedEndpoint, McpExtension } from '../../serve/methods/extension.js';
import { LIST_NAMES, type ListName } from '../../serve/methods/local-items.js';
import { connectTo, disconnectFrom } from './server-connection.js';
import { ServerItems } from './server-items.js';
import {
  type McpSdkServer,
  type ResolvedServer,
  SERVERS_OPTION,
  type ServersOption,
} from './server-options.js';

/**
 * Publishes the tools, resources and prompts of official SDK servers, in addition to the routes.
 */
export const sdkServer: McpExtension<ServersOption['servers'], readonly ResolvedServer[]> = {
  name: 'servers',
  option: SERVERS_OPTION.servers,
  scope: 'module',

  publish: (servers, { place }) => ({
    tagged: servers.map(({ tags }, i) => ({
      tags,
      place: `McpModule.forRoot({ ${place.path}[${i}] })`,
    })),
  }),

  async create(servers, endpoint) {
    const selected = servers.filter(({ tags }) => hasWantedTag(tags, endpoint.selection.tags));
    if (selected.length === 0) return undefined;
    const all = await connectAll(selected, endpoint);
    for (const items of all) {
      items.connection.listeners.set(items, (list) => void reload(items, all, list, endpoint));
    }
    return {
      capabilities: capabilitiesOf(all),
      scopes: selected.flatMap(({ scopes }) => scopes),
      timeoutMs: endpoint.timeoutMs,
      get tools() {
        return all.flatMap(({ tools }) => tools);
      },
      get prompts() {
        return all.flatMap(({ prompts }) => prompts);
      },
      get resources() {
        return all.flatMap(({ resources }) => resources);
      },
      get templates() {
        return all.flatMap(({ templates }) => templates);
      },
      async resource(uri, caller) {
        const found = findResource(all, uri);
        if (!found) return undefined;
        const { definition } = found.entry;
        const isVisible = await endpoint.tools.isVisible(definition, caller.request);
        return isVisible ? found.items.resource(uri) : undefined;
      },
      async close() {
        for (const items of all) items.connection.listeners.delete(items);
        await Promise.all(selected.map(({ server }) => disconnectFrom(server)));
      },
    };
  },
};

/**
 * Connects to the servers and reads their lists. If this fails, no server stays connected.
 * @throws McpError if a server cannot be connected, or if a name or URI is already used
 */
async function connectAll(
  selected: readonly ResolvedServer[],
  endpoint: ExtendedEndpoint,
): Promise<readonly ServerItems[]> {
  const connected: McpSdkServer[] = [];
  const connecting = selected.map((given) => itemsOf(given, endpoint, connected));
  // If one server fails, the others must be connected before they can be disconnected.
  await Promise.allSettled(connecting);
  try {
    const all = await Promise.all(connecting);
    for (const list of LIST_NAMES) refuseTakenNames(all, list, endpoint);
    return all;
  } catch (error) {
    await Promise.allSettled(connected.map(disconnectFrom));
    throw error;
  }
}

/** Returns true if an endpoint selects only HTTP methods that change nothing. */
function isReadOnly({ include }: ExtendedEndpoint['selection']): boolean {
  return include.every((method) => SAFE_METHODS.has(method));
}

/**
 * Finds the server that lists a URI. If no server lists the URI, finds the first server with a
 * matching template.
 */
function findResource(
  all: readonly ServerItems[],
  uri: string,
): { readonly items: ServerItems; readonly entry: AddedEntry } | undefined {
  for (const find of ['findListed', 'findTemplate'] as const) {
    for (const items of all) {
      const entry = items[find](uri);
      if (entry) return { items, entry };
    }
  }
  return undefined;
}

/** Returns the capabilities that the SDK servers add. */
function capabilitiesOf(all: readonly ServerItems[]): Partial<McpCapabilities> {
  const has = (name: string) => all.some(({ connection }) => name in connection.capabilities);
  const changing = { listChanged: true } as const;
  return {
    ...(has('tools') && { tools: changing }),
    ...(has('prompts') && { prompts: changing }),
    ...(has('resources') && { resources: changing }),
    ...(has('completions') && { completions: {} }),
  };
}

/** @param connected the list to which the server is added when it is connected */
async function itemsOf(
  { server, scopes }: ResolvedServer,
  { timeoutMs, place, selection }: ExtendedEndpoint,
  connected: McpSdkServer[],
): Promise<ServerItems> {
  try {
    const connection = await connectTo(server, timeoutMs);
    connected.push(server);
    const items = new ServerItems(
      connection,
      scopes,
      isReadOnly(selection) ? ({ annotations }) => annotations?.readOnlyHint === true : () => true,
    );
    await Promise.all(LIST_NAMES.map((list) => items.reload(list)));
    return items;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw place.error(
      `contains a server that cannot be connected: ${reason}. Pass a server that is not connected to another transport`,
    );
  }
}

/**
 * Returns the names and URIs of a server that are already used by a route, another extension or
 * another server.
 */
function takenKeys(
  items: ServerItems,
  all: readonly ServerItems[],
  list: ListName,
  { isTaken }: ExtendedEndpoint,
): readonly string[] {
  const before = all.slice(0, all.indexOf(items)).flatMap((other) => other.keysOf(list));
  return items.keysOf(list).filter((key) => isTaken(list, key) || before.includes(key));
}

function refuseTakenNames(
  all: readonly ServerItems[],
  list: ListName,
  endpoint: ExtendedEndpoint,
): void {
  for (const items of all) {
    const [taken] = takenKeys(items, all, list, endpoint);
    if (taken === undefined) continue;
    throw new McpOptionError(
      `McpModule.forRoot({ ${endpoint.place.path} }): a server lists ${JSON.stringify(taken)} in its ${list}, but ` +
        'a route or another server already has that name. Rename one of the two.',
    );
  }
}

/**
 * Reloads a list after the server reported a change. Omits an entry if a route already uses its
 * name.
 */
async function reload(
  items: ServerItems,
  all: readonly ServerItems[],
  list: ListName,
  endpoint: ExtendedEndpoint,
): Promise<void> {
  const logger = new Logger('McpModule');
  try {
    await items.reload(list);
    if (!isWatched(items)) return;
    const taken = takenKeys(items, all, list, endpoint);
    items.leaveOut(list, taken);
    for (const key of taken) {
      logger.error(
        `A server in McpModule.forRoot({ servers }) added ${JSON.stringify(key)} to its ${list}. ` +
          'The entry is not published, because a route or another server already has that name. ' +
          'Rename one of the two.',
      );
    }
    endpoint.changed(list);
  } catch (error) {
    if (!isWatched(items)) return;
    logger.error(`Could not read the ${list} of a server in McpModule.forRoot({ servers })`, error);
  }
}

/** Returns false if the endpoint was closed. */
function isWatched(items: ServerItems): boolean {
  return items.connection.listeners.has(items);
}
