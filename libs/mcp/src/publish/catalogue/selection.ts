import type { Selection } from '../../options/endpoint-defaults.js';
import { isExcluded } from '../routes/exposure.js';
import type { Published } from './catalogue.js';
import type { PublishingExtensions } from './publishing-extension.js';
import type { Operation } from './operation.js';

/** The properties of an item by which an endpoint selects it. */
type Item = Pick<Operation, 'route' | 'tags'>;

/** Returns the published items that an endpoint selects. */
export function selectedFrom(
  { tools, resources, prompts }: Published,
  selection: Selection,
  globalPrefix: string,
  extensions: Pick<PublishingExtensions, 'broughtBy'>,
): Published {
  const selects = (item: Item) => isSelected(item, selection, globalPrefix);
  const selected = tools.filter(selects);
  const brought = new Set(selected.flatMap((tool) => extensions.broughtBy(tool)));
  return {
    tools: selected,
    resources: resources.filter((resource) => brought.has(resource.uri) || selects(resource)),
    prompts: prompts.filter(selects),
  };
}

function isSelected(
  { route, tags }: Item,
  { tags: wanted, include, exclude }: Selection,
  globalPrefix: string,
): boolean {
  return (
    hasWantedTag(tags, wanted) &&
    include.includes(route.verb) &&
    !isExcluded(route, exclude, globalPrefix)
  );
}

/** Returns true if an endpoint with these `tags` selects the tags of an item. */
export function hasWantedTag(tags: readonly string[], wanted: Selection['tags']): boolean {
  return wanted === undefined || wanted.some((tag) => tags.includes(tag));
}

interface SelectingEndpoint {
  readonly path: string;
  readonly selection: Selection;
}

/** Logs a warning for each tag that an endpoint selects but no item has. */
export function warnOfUnknownTags(
  published: Published,
  { tagged }: Pick<PublishingExtensions, 'tagged'>,
  endpoints: readonly SelectingEndpoint[],
  warn: (warning: string) => void,
): void {
  const known = new Set([...itemsOf(published), ...tagged].flatMap(({ tags }) => tags));
  for (const { path, selection } of endpoints) {
    const unknown = selection.tags?.filter((tag) => !known.has(tag)) ?? [];
    if (unknown.length === 0) continue;
    warn(
      `The endpoint ${path} selects ${listOf(unknown)}, which no route has. Available tags: ` +
        `${[...known].join(', ') || 'none'}. Correct the tag, or add it to a route: ` +
        `@McpTool({ tags: [${JSON.stringify(unknown[0])}] }).`,
    );
  }
}

/** Logs a warning for items that no endpoint selects. */
export function warnOfUnselected(
  published: Published,
  parts: readonly Published[],
  warn: (warning: string) => void,
): void {
  const items = itemsOf(published);
  const selected = new Set(parts.flatMap(itemsOf));
  const nowhere = items.filter((item) => !selected.has(item));
  if (nowhere.length === 0) return;
  warn(
    `${nowhere.length} of ${items.length} published routes are not selected by any endpoint: ` +
      `${nowhere.map(({ route }) => route.label).join(', ')}. Give these routes a tag that an endpoint selects.`,
  );
}

/** Logs a warning for each part of an extension that no endpoint selects. */
export function warnOfUnselectedParts(
  { tagged }: Pick<PublishingExtensions, 'tagged'>,
  endpoints: readonly SelectingEndpoint[],
  warn: (warning: string) => void,
): void {
  for (const { place, tags } of tagged) {
    if (endpoints.some(({ selection }) => hasWantedTag(tags, selection.tags))) continue;
    const example = endpoints.flatMap(({ selection }) => selection.tags ?? [])[0];
    warn(
      `${place} is not published, because every endpoint selects tags that it does not have. ` +
        `Add a tag that an endpoint selects: tags: [${JSON.stringify(example)}].`,
    );
  }
}

function itemsOf({ tools, resources, prompts }: Published): readonly Item[] {
  return [...tools, ...resources, ...prompts];
}

/** Formats tags, for example as `the tag "admin"`. */
function listOf(tags: readonly string[]): string {
  const names = tags.map((tag) => `"${tag}"`).join(', ');
  return `the ${tags.length === 1 ? 'tag' : 'tags'} ${names}`;
}
