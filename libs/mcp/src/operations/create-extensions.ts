import type { ExtensionData } from '../catalogue/extension.js';
import type { Resource } from '../catalogue/resource.js';
import type { Tool } from '../catalogue/tool.js';
import { McpOptionError } from '../mcp.errors.js';
import type { ExtensionOptions } from '../options/extension-option.js';
import type { ExtendedEndpoint, LocalTool, McpExtension, NamedExtension } from './extension.js';

/** What extensions are created with. */
interface Endpoint extends Pick<
  ExtendedEndpoint,
  'path' | 'tools' | 'calls' | 'timeoutMs' | 'keyOf'
> {
  readonly resources: readonly Resource[];
  /** Names of the tools of all endpoints. */
  readonly allNames: readonly string[];
}

/**
 * Creates the extensions that an endpoint has, in the order of the list.
 * @throws McpError if their options do not fit what the endpoint publishes
 */
export async function createExtensions(
  extensions: readonly McpExtension[],
  given: ExtensionOptions,
  { resources, allNames, ...endpoint }: Endpoint,
): Promise<readonly NamedExtension[]> {
  const { tools } = endpoint;
  const created: NamedExtension[] = [];
  for (const extension of extensions) {
    const { options, place } = given.get(extension.name) ?? {};
    if (place === undefined) continue;
    // An option of the module may name tools that only some endpoints have.
    const isShared = place.path === extension.name;
    const toolNames = isShared ? allNames : tools.all.map(({ name }) => name);
    const own = await extension.create(options, {
      ...endpoint,
      data: dataFor(extension.name, tools.all),
      resourceData: dataFor(extension.name, resources),
      toolNames,
      place,
    });
    if (own === undefined) continue;
    refuseTakenNames(own.tools ?? [], tools.all, place.path);
    created.push({ name: extension.name, ...own });
  }
  return created;
}

/** What an extension needs to know of tools or resources. */
function dataFor<Item extends { readonly extended: ExtensionData }>(
  name: string,
  items: readonly Item[],
): ReadonlyMap<Item, unknown> {
  const concerned = items.filter(({ extended }) => extended?.has(name));
  return new Map(concerned.map((item) => [item, item.extended?.get(name)]));
}

/**
 * @param option the one that adds the tools: `search`
 * @throws McpOptionError if a route has the name of an added tool
 */
function refuseTakenNames(
  added: readonly LocalTool[],
  tools: readonly Tool[],
  option: string,
): void {
  const names = new Set(added.map(({ definition: { name } }) => name));
  const taken = tools.find(({ name }) => names.has(name));
  if (!taken) return;
  throw new McpOptionError(
    `McpModule.forRoot({ ${option} }) adds a tool "${taken.name}", and ${taken.route.label} has that name. ` +
      "Give it another one: @McpTool({ name: '...' }).",
  );
}
