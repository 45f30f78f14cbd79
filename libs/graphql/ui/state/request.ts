import { computed, signal } from '@preact/signals';
import { type DocumentNode, Kind, parse } from 'graphql';
import type { Headers } from '../api/operation.js';
import { stored } from './stored.js';

const WELCOME = `# Ctrl Enter runs the operation at the cursor. Ctrl Space completes names.
query {
  __typename
}
`;

// A link may contain an operation: /graphql?query=... It is kept for this tab and by itself, so that it neither replaces
// what the developer wrote nor is sent with the variables of another operation.
const search = new URLSearchParams(location.search);
const linked = search.get('query');

/** The document of operations. */
export const text =
  linked === null
    ? stored(() => localStorage, 'document', WELCOME)
    : stored(() => sessionStorage, `document of ${linked}`, linked);
export const variablesText =
  linked === null
    ? stored(() => localStorage, 'variables', '')
    : stored(
        () => sessionStorage,
        `variables of ${location.search}`,
        search.get('variables') ?? '',
      );
/** Credentials stand here, so they are kept until the tab is closed. */
export const headersText = stored(() => sessionStorage, 'headers', '');
/** The offset of the cursor in the document. */
export const cursor = signal(0);

/** The document as graphql-js reads it; undefined while it has syntax errors. */
const parsedDocument = computed<DocumentNode | undefined>(() => {
  try {
    return parse(text.value);
  } catch {
    return undefined;
  }
});

export const operations = computed(() =>
  (parsedDocument.value?.definitions ?? []).flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition] : [],
  ),
);

/** The operation at the cursor, or the first one. */
export const currentOperation = computed(() => {
  const at = cursor.value;
  const found = operations.value.find(({ loc }) => loc && loc.start <= at && at <= loc.end);
  return found ?? operations.value[0];
});

/** Undefined if the text is not an object of JSON. */
export const variables = computed(() => objectOf(variablesText.value));

/** Undefined if the text is not an object of JSON whose values are texts. */
export const headers = computed<Headers | undefined>(() => {
  const found = objectOf(headersText.value);
  if (!found || !Object.values(found).every((value) => typeof value === 'string')) return undefined;
  return found as Headers;
});

function objectOf(json: string): Record<string, unknown> | undefined {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
