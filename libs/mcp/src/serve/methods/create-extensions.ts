import type { ExtensionData } from '../../publish/catalogue/publishing-extension.js';
import type { Prompt } from '../../publish/catalogue/prompt.js';
import type { Resource } from '../../publish/catalogue/resource.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { McpOptionError } from '../../mcp.errors.js';
import type { ExtensionOptions } from '../../options/extension-option.js';
import type { ExtendedEndpoint, McpExtension, NamedExtension } from './extension.js';
import type { ListName, LocalTool } from './local-items.js';

interface Endpoint extends Pick<
  ExtendedEndpoint,
  'path' | 'selection' | 'tools' | 'calls' | 'tenants' | 'timeoutMs' | 'changed' | 'perCaller'
> {
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** The tool names of all endpoints. */
  readonly allNames: readonly string[];
}

/** @throws McpError if the options of an extension conflict with what the endpoint publishes */
export async function createExtensions(
  extensions: readonly McpExtension[],
  given: ExtensionOptions,
  endpoint: Endpoint,
): Promise<readonly NamedExtension[]> {
  const created: NamedExtension[] = [];
  try {
    await addExtensions(created, extensions, given, endpoint);
  } catch (error) {
    await closeExtensions(created).catch(() => undefined);
    throw error;
  }
  return created;
}

/** Releases the stores and connections of extensions. */
export async function closeExtensions(extensions: readonly NamedExtension[]): Promise<void> {
  await Promise.all(extensions.flatMap(({ close }) => close?.() ?? []));
}

/** @param created the list to which the extensions are added */
async function addExtensions(
  created: NamedExtension[],
  extensions: readonly McpExtension[],
  given: ExtensionOptions,
  { resources, prompts, allNames, ...endpoint }: Endpoint,
): Promise<void> {
  const { tools } = endpoint;
  for (const extension of extensions) {
    const { options, place } = given.get(extension.name) ?? {};
    if (place === undefined) continue;
    // The module's option may contain tools of any endpoint.
    const isShared = place.path === extension.name;
    const toolNames = isShared ? allNames : tools.all.map(({ name }) => name);
    const own = await extension.create(options, {
      ...endpoint,
      data: dataFor(extension.name, tools.all),
      resourceData: dataFor(extension.name, resources),
      toolNames,
      isTaken: isTakenBy(extension, created, { tools, resources, prompts }),
      place,
    });
    if (own === undefined) continue;
    const before = [...created];
    // `Object.assign` keeps getters, because it changes the existing object instead of copying it.
    created.push(Object.assign(own, { name: extension.name }));
    refuseTakenNames(own.tools ?? [], tools.all, place.path);
    refuseAddedNames(own.tools ?? [], before, place.path);
  }
}

/**
 * @param created the extensions that exist when the returned function is called. At startup, these
 * are the earlier extensions
 */
function isTakenBy(
  extension: McpExtension,
  created: readonly NamedExtension[],
  { tools, resources, prompts }: Pick<Endpoint, 'tools' | 'resources' | 'prompts'>,
): ExtendedEndpoint['isTaken'] {
  const taken: Readonly<Record<ListName, ReadonlySet<string>>> = {
    tools: new Set(tools.all.map(nameOf)),
    prompts: new Set(prompts.map(nameOf)),
    resources: new Set(resources.map(({ uri }) => uri)),
  };
  const isAdded = (name: string) =>
    created.some((other) => other.name !== extension.name && hasTool(other, name));
  return (list, key) => taken[list].has(key) || (list === 'tools' && isAdded(key));
}

function hasTool({ tools = [] }: NamedExtension, name: string): boolean {
  return tools.some(({ definition }) => definition.name === name);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

/** Returns the data that an extension stored for tools or resources. */
function dataFor<Item extends { readonly extended: ExtensionData }>(
  name: string,
  items: readonly Item[],
): ReadonlyMap<Item, unknown> {
  const concerned = items.filter(({ extended }) => extended?.has(name));
  return new Map(concerned.map((item) => [item, item.extended?.get(name)]));
}

/**
 * @param option name of the option that adds the tools, such as `search`
 * @throws McpOptionError if a route already has the name of an added tool
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
    `McpModule.forRoot({ ${option} }) adds a tool "${taken.name}", but ${taken.route.label} already has that name. ` +
      "Give the route another name: @McpTool({ name: '...' }).",
  );
}

/** @throws McpOptionError if an earlier extension already added a tool with the name */
function refuseAddedNames(
  added: readonly LocalTool[],
  before: readonly NamedExtension[],
  option: string,
): void {
  for (const { definition } of added) {
    const first = before.find((extension) => hasTool(extension, definition.name));
    if (!first) continue;
    throw new McpOptionError(
      `McpModule.forRoot({ ${option} }) adds a tool "${definition.name}", but ` +
        `McpModule.forRoot({ ${first.name} }) already adds a tool with that name. ` +
        'Rename the other tool.',
    );
  }
}
