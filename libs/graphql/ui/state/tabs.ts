import { isRecord } from '@fledge-internal/ui/json';
import { stored } from '@fledge-internal/ui/stored';
import { batch, computed } from '@preact/signals';
import { endpointPath } from '../api/endpoint.js';

/** A document and its variables, as the user wrote them. */
export interface OperationTab {
  readonly id: string;
  readonly text: string;
  readonly variables: string;
}

/**
 * The text of the first tab while the schema loads. A first operation is added when the schema is
 * there.
 */
export const WELCOME = `# Ctrl Enter runs the operation at the cursor. Ctrl Space completes names.
`;

/** The tabs, stored for the next visit. There is always at least one. */
export const tabs = stored(() => localStorage, `graphql.${endpointPath}.tabs`, tabsIn);
export const chosenId = stored(
  () => localStorage,
  `graphql.${endpointPath}.tab`,
  (value) => String(value),
);

export const currentTab = computed(
  () => tabs.value.find(({ id }) => id === chosenId.value) ?? tabs.value[0]!,
);

function tabsIn(value: unknown): readonly OperationTab[] {
  const found = Array.isArray(value) ? value.filter(isTab) : [];
  return found.length > 0 ? found : [{ id: '1', text: WELCOME, variables: '' }];
}

function isTab(value: unknown): value is OperationTab {
  return (
    isRecord(value) && ['id', 'text', 'variables'].every((key) => typeof value[key] === 'string')
  );
}

/** Opens a tab. If a tab has the same document and variables, opens that one. */
export function openTab(text = '', variables = ''): void {
  const same = tabs.value.find((tab) => tab.text === text && tab.variables === variables);
  const last = Math.max(...tabs.value.map(({ id }) => Number(id)));
  const tab = same ?? { id: String(last + 1), text, variables };
  batch(() => {
    if (!same) tabs.value = [...tabs.value, tab];
    chosenId.value = tab.id;
  });
}

/** Closes the current tab. If it is the only one, it is emptied instead. */
export function closeTab(): void {
  const { id } = currentTab.value;
  const at = tabs.value.findIndex((tab) => tab.id === id);
  const rest = tabs.value.filter((tab) => tab.id !== id);
  batch(() => {
    tabs.value = rest.length > 0 ? rest : [{ id: String(Number(id) + 1), text: '', variables: '' }];
    chosenId.value = (tabs.value[at] ?? tabs.value.at(-1)!).id;
  });
}

export function changeTab(id: string, part: Partial<Omit<OperationTab, 'id'>>): void {
  tabs.value = tabs.value.map((tab) => (tab.id === id ? { ...tab, ...part } : tab));
}

/**
 * Opens a tab for an operation in the address: /graphql?query=... The operation is not run
 * automatically.
 */
function openLinked(): void {
  const link = new URLSearchParams(location.search);
  const query = link.get('query');
  if (query !== null) openTab(query, link.get('variables') ?? '');
}

openLinked();
