import { computed } from '@preact/signals';
import { isRecord } from '@fledge-internal/ui/json';
import { stored } from '@fledge-internal/ui/stored';
import type { Header } from '../api/app-request.js';
import { masked } from '../format/mask.js';
import { callers } from './resource.js';

/** False disables shortcuts without a modifier key (WCAG 2.1.4). */
export const singleKeys = stored(
  () => localStorage,
  'keys',
  (value) => value !== false,
);

/** The headers that the user chose or typed in this tab; null if the user has not changed them. */
const chosenHeaders = stored<readonly Header[] | null>(() => sessionStorage, 'headers', headersIn);

function headersIn(value: unknown): readonly Header[] | null {
  if (!Array.isArray(value)) return null;
  return value.filter(
    (header): header is Header =>
      isRecord(header) && typeof header['name'] === 'string' && typeof header['value'] === 'string',
  );
}

/** The callers that the application offers. */
export const offered = computed(() =>
  (callers.data.value?.callers ?? []).map(({ name, headers }) => ({
    name,
    headers: Object.entries(headers).map(([header, value]): Header => ({ name: header, value })),
  })),
);

/**
 * The headers that the panel sends to the application: those of the first caller until the user
 * changes them.
 */
export const sendAs = computed(() => chosenHeaders.value ?? offered.value[0]?.headers ?? []);

/** Sets the headers to send. They are stored for this tab only. */
export function setSendAs(headers: readonly Header[]): void {
  chosenHeaders.value = headers;
}

/** The headers that are sent: those with a name. */
export const sentHeaders = computed(() => sendAs.value.filter(({ name }) => name.trim() !== ''));

/** A short name for the caller whose headers are sent. Undefined if there are no headers. */
export const sender = computed(() => {
  const sent = textOf(sentHeaders.value);
  const caller = offered.value.find(({ headers }) => textOf(headers) === sent);
  if (caller) return caller.name;
  const [first, ...more] = sentHeaders.value;
  if (!first) return undefined;
  return `${masked(first.value) || first.name}${more.length > 0 ? ` and ${more.length} more` : ''}`;
});

/** Returns the same string for headers that are equal when sent. */
function textOf(headers: readonly Header[]): string {
  return JSON.stringify(headers.map(({ name, value }) => [name.trim().toLowerCase(), value]));
}
