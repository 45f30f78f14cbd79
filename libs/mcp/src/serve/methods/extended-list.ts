import type {
  AddedEntry,
  ListEntry,
  ListForm,
  PublishedList,
} from '../../publish/catalogue/published-list.js';
import { listedResource, type Resource } from '../../publish/catalogue/resource.js';
import { type Tool, toolEntry } from '../../publish/catalogue/tool.js';
import type { EndpointExtension, Listing, NamedExtension } from './extension.js';
import type { LocalTool } from './local-items.js';

/** Tools of routes come before tools of extensions, which may change the entries of routes. */
export function extendTools(
  published: PublishedList<Tool>,
  extensions: readonly NamedExtension[],
): PublishedList<Tool> {
  const added = extensions.flatMap(({ tools = [] }) => tools.map(addedTool));
  const listing = changesOf(extensions, ({ listed }) => listed);
  const clean = cleanerIn(extensions);
  if (listing.length === 0 && added.length === 0 && !clean) return published;
  return published.changed(
    (tool, form) => {
      const whole = toolEntry(tool, form);
      return changed(listing, tool, { form, whole, listed: tool.forModels ? whole : undefined });
    },
    { added, kinds: kindsIn(extensions), clean },
  );
}

/** Includes tools that extensions leave out of `tools/list`. */
export function listEveryTool(
  published: PublishedList<Tool>,
  extensions: readonly NamedExtension[],
): PublishedList<Tool> {
  const added = extensions.flatMap(({ tools = [] }) =>
    tools.filter(({ isIndirect }) => !isIndirect).map(addedTool),
  );
  return published.changed(toolEntry, { added, kinds: [], clean: cleanerIn(extensions) });
}

function addedTool({ definition, visibleAs }: LocalTool): AddedEntry {
  return { key: definition.name, entry: { ...definition }, definition: visibleAs };
}

/** For `resources/list` or `resources/templates/list`. Otherwise the same as `extendTools`. */
export function extendResources(
  published: PublishedList<Resource>,
  extensions: readonly NamedExtension[],
  added: readonly AddedEntry[],
): PublishedList<Resource> {
  const listing = changesOf(extensions, ({ listedResource: listed }) => listed);
  const clean = cleanerIn(extensions);
  if (listing.length === 0 && added.length === 0 && !clean) return published;
  return published.changed(
    (resource, form) => {
      const whole = listedResource(resource);
      return changed(listing, resource, { form, whole, listed: whole });
    },
    { added, kinds: kindsIn(extensions), clean },
  );
}

type ChangeEntry<Item> = (
  item: Item,
  entry: ListEntry | undefined,
  listing: Listing,
) => ListEntry | undefined;

function changesOf<Item>(
  extensions: readonly NamedExtension[],
  changeOf: (extension: NamedExtension) => ChangeEntry<Item> | undefined,
): readonly (readonly [name: string, change: ChangeEntry<Item>])[] {
  return extensions.flatMap((extension) => {
    const change = changeOf(extension);
    return change ? [[extension.name, change] as const] : [];
  });
}

/** Each extension may change the entry. The last extension is called first. */
function changed<Item>(
  listing: ReturnType<typeof changesOf<Item>>,
  item: Item,
  {
    form: { kinds },
    whole,
    listed,
  }: { readonly form: ListForm; readonly whole: ListEntry; readonly listed: ListEntry | undefined },
): ListEntry | undefined {
  return listing.reduceRight<ListEntry | undefined>(
    (entry, [name, change]) => change(item, entry, { isKind: kinds.includes(name), whole }),
    listed,
  );
}

function kindsIn(extensions: readonly NamedExtension[]): readonly string[] {
  return extensions.flatMap(({ name, clientKind }) => (clientKind ? name : []));
}

export function cleanerIn(extensions: readonly NamedExtension[]): EndpointExtension['clean'] {
  return extensions.find(({ clean }) => clean)?.clean;
}
