import { Logger } from '@nestjs/common';
import type { AddedEntry } from '../../publish/catalogue/published-list.js';
import { mcpRequestOf } from '../../serve/call/caller.js';
import { McpOptionError } from '../../mcp.errors.js';
import type { McpCapabilities } from '../../serve/methods/capabilities.js';
import type { ExtendedEndpoint, McpExtension } from '../../serve/methods/extension.js';
import { LIST_NAMES, type ListName } from '../../serve/methods/local-items.js';
import { connectTo, disconnectFrom } from './server-connection.js';
import { ServerItems } from './server-items.js';
import { type ResolvedServer, SERVERS_OPTION, type ServersOption } from './server-options.js';

/** Serves what servers of the official SDK offer, next to the routes. */
export const sdkServer: McpExtension<ServersOption['servers'], readonly ResolvedServer[]> = {
  name: 'servers',
  option: SERVERS_OPTION.servers,
  scope: 'module',

  async create(servers, endpoint) {
    const all = await Promise.all(servers.map((given) => itemsOf(given, endpoint)));
    for (const list of LIST_NAMES) refuseTakenNames(all, list, endpoint);
    for (const items of all) {
      items.connection.listeners.push((list) => void reload(items, all, list, endpoint));
    }
    return {
      capabilities: capabilitiesOf(all),
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
        const isVisible = await endpoint.tools.isVisible(definition, mcpRequestOf(caller));
        return isVisible ? found.items.resource(uri) : undefined;
      },
      async close() {
        await Promise.all(servers.map(({ server }) => disconnectFrom(server)));
      },
    };
  },
};

/** The server of a URI: the one that lists it, otherwise the first with a template that it matches. */
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

/** What the server declares because of its servers. */
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

async function itemsOf(
  { server, scopes }: ResolvedServer,
  { timeoutMs, place }: ExtendedEndpoint,
): Promise<ServerItems> {
  try {
    const items = new ServerItems(await connectTo(server, timeoutMs), scopes);
    await Promise.all(LIST_NAMES.map((list) => items.reload(list)));
    return items;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw place.error(
      `has a server that cannot be connected: ${reason}. Pass a server that is connected to no other transport`,
    );
  }
}

/** Keys of a list of one server that a route, another extension or another server has. */
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
      `McpModule.forRoot({ ${endpoint.place.path} }): a server offers ${JSON.stringify(taken)} among its ${list}, and ` +
        'a route or another server has that name. Give one of the two another name.',
    );
  }
}

/** Reads a list again after the server said that it changed. What clashes with a route is left out. */
async function reload(
  items: ServerItems,
  all: readonly ServerItems[],
  list: ListName,
  endpoint: ExtendedEndpoint,
): Promise<void> {
  const logger = new Logger('McpModule');
  try {
    await items.reload(list);
    const taken = takenKeys(items, all, list, endpoint);
    items.leaveOut(list, taken);
    for (const key of taken) {
      logger.error(
        `A server offers ${JSON.stringify(key)} now, which is left out: the name is taken.`,
      );
    }
    endpoint.changed(list);
  } catch (error) {
    logger.error(`The ${list} of a server could not be read`, error);
  }
}
