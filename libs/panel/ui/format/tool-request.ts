import type { MeasuredTool } from '../../src/panel.api.js';

import type { ShownRequest } from '@fledge-internal/ui/curl';

/** Arguments of a tool call. An argument that is missing is not sent. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Returns the HTTP request that calls the tool's route with these arguments. */
export function toolRequest(
  { verb, url: template, request }: Pick<MeasuredTool, 'verb' | 'url' | 'request'>,
  args: Arguments,
): Pick<ShownRequest, 'method' | 'url' | 'body'> {
  const query = new URLSearchParams();
  const body: [string, unknown][] = [];
  let url = template;
  for (const [argument, value] of Object.entries(args)) {
    const place = request.places.find((candidate) => candidate.argument === argument);
    const { target, name } = place ?? { target: request.rest ?? 'query', name: argument };
    if (target === 'path') url = filled(url, name, value);
    else if (target === 'body') body.push([name, value]);
    else for (const text of textsOf(value, place?.list)) query.append(name, text);
  }
  const search = readableQuery(query);
  return {
    method: verb,
    url: search === '' ? url : `${url}?${search}`,
    body: bodyOf(body, request),
  };
}

function bodyOf(
  given: readonly [string, unknown][],
  { body, members, argumentsIn }: MeasuredTool['request'],
): string | undefined {
  const args = Object.fromEntries(given);
  if (members === undefined && given.length === 0) return undefined;
  const carried = argumentsIn === undefined ? args : { [argumentsIn]: args };
  const value = body === 'whole' ? given[0]?.[1] : { ...carried, ...members };
  return JSON.stringify(value, null, 2);
}

function filled(path: string, name: string, value: unknown): string {
  const parameter = new RegExp(`\\{?/?[:*]${name.replaceAll(/[^\w]/g, '\\$&')}(?!\\w)\\}?`);
  return path.replace(parameter, () => `/${encodeURIComponent(textOf(value))}`);
}

/**
 * Returns the query string values of an argument: one for each list item, or one for the whole list
 * if the route reads lists that way.
 */
function textsOf(
  value: unknown,
  list: MeasuredTool['request']['places'][number]['list'],
): readonly string[] {
  if (!Array.isArray(value)) return [textOf(value)];
  const items = value.map(textOf);
  return list?.form === 'joined' && items.length > 0 ? [items.join(list.separator)] : items;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Formats a query string, but does not encode characters that need no encoding:
 * `filter=status:in:open,done`.
 */
export function readableQuery(query: URLSearchParams): string {
  return query
    .toString()
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%40', '@')
    .replaceAll('+', '%20');
}
