import { explorerHeaders } from '@fledge-internal/ui/explorer-headers';
import { isRecord, parsedJson } from '@fledge-internal/ui/json';
import { computed, signal } from '@preact/signals';
import { type DocumentNode, Kind, parse } from 'graphql';
import { endpointPath } from '../api/endpoint.js';
import type { Headers, Operation } from '../api/operation.js';
import { currentTab } from './tabs.js';

/** The request headers, as JSON text. All operations share them. */
export const headersText = explorerHeaders(endpointPath);
/** The offset of the cursor in the document. */
export const cursor = signal(0);

/** The parsed document. Undefined while it has syntax errors. */
const parsedDocument = computed(() => documentIn(currentTab.value.text));

function documentIn(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

export const operations = computed(() =>
  (parsedDocument.value?.definitions ?? []).flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition] : [],
  ),
);

/** The operation at the cursor, otherwise the first one. */
export const currentOperation = computed(() => {
  const at = cursor.value;
  const found = operations.value.find(({ loc }) => loc && loc.start <= at && at <= loc.end);
  return found ?? operations.value[0];
});

/** The parsed variables. Undefined if the text is not a JSON object. */
export const variables = computed(() => objectOf(currentTab.value.variables));

/** The parsed headers. Undefined if the text is not a JSON object with string values. */
export const headers = computed<Headers | undefined>(() => {
  const found = objectOf(headersText.value);
  if (!found || !Object.values(found).every((value) => typeof value === 'string')) return undefined;
  return found as Headers;
});

/** The operation that Run sends. Undefined if the variables are not a JSON object. */
export const operation = computed<Operation | undefined>(() => {
  const given = variables.value;
  const name = currentOperation.value?.name?.value;
  if (given === undefined) return undefined;
  return {
    query: currentTab.value.text,
    ...(Object.keys(given).length > 0 && { variables: given }),
    ...(name !== undefined && { operationName: name }),
  };
});

function objectOf(json: string): Record<string, unknown> | undefined {
  if (json.trim() === '') return {};
  const value = parsedJson(json);
  return isRecord(value) ? value : undefined;
}

/**
 * Returns the title of a tab: the name of its first operation, or the first field if the operation
 * has no name.
 */
export function titleOf(text: string): string {
  const [first] = documentIn(text)?.definitions ?? [];
  if (first?.kind !== Kind.OPERATION_DEFINITION) return 'Untitled';
  const [field] = first.selectionSet.selections;
  return first.name?.value ?? (field?.kind === Kind.FIELD ? field.name.value : 'Untitled');
}
