import { isObject, kind, type OptionTable, type ReadOptions } from '@fledge-internal/options';
import type { ListEntry } from '../../publish/catalogue/published-list.js';
import type { McpExtension } from '../../serve/methods/extension.js';
import { ICONS } from '../../options/server-options.js';
import type { EntryDetails } from './entry-details-options.js';

const DETAILS = {
  icons: ICONS,
  meta: kind<NonNullable<EntryDetails['meta']>>(
    'an object that can be written as JSON',
    (value) => isObject(value) && isJson(value),
  ).optional,
} satisfies OptionTable<EntryDetails>;

type Details = ReadOptions<typeof DETAILS>;

/** Adds icons and `_meta` to the entries of lists. */
export const entryDetails: McpExtension<never, unknown, Details, true, Details, true, Details> = {
  name: 'entryDetails',
  author: { tool: DETAILS, resource: DETAILS, prompt: DETAILS },
  publish: () => ({
    tool: (_draft, own) => changeOf(own),
    resource: (_draft, own) => changeOf(own),
    prompt: (_draft, own) => changeOf(own),
  }),
  create: () => Promise.resolve(undefined),
};

function changeOf({
  icons,
  meta,
}: Details): { readonly data: true; readonly entry: ListEntry } | undefined {
  if (icons === undefined && meta === undefined) return undefined;
  return { data: true, entry: { ...(icons && { icons }), ...(meta && { _meta: meta }) } };
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
