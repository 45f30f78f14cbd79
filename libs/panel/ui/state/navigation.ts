import { computed, signal } from '@preact/signals';

export type ViewId =
  | 'tools'
  | 'calls'
  | 'lint'
  | 'resources'
  | 'sessions'
  | 'tenants'
  | 'queries'
  | 'graphql'
  | 'snapshots';

interface Entry {
  readonly id: ViewId;
  readonly label: string;
  readonly group: 'Agents' | 'API' | 'Application';
}

/** The views in the order of their number keys. */
export const VIEWS: readonly Entry[] = [
  { id: 'tools', label: 'Tools', group: 'Agents' },
  { id: 'calls', label: 'Calls', group: 'Agents' },
  { id: 'lint', label: 'Lint', group: 'Agents' },
  { id: 'resources', label: 'Resources', group: 'Agents' },
  { id: 'sessions', label: 'Sessions', group: 'Agents' },
  { id: 'tenants', label: 'Tenants', group: 'API' },
  { id: 'queries', label: 'Queries', group: 'API' },
  { id: 'graphql', label: 'GraphQL', group: 'API' },
  { id: 'snapshots', label: 'Snapshots', group: 'Application' },
];

const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

const parts = computed(() => hash.value.slice(1).split('/'));

/** The current view, from the address: `#calls`. The first view if the address names none. */
export const view = computed<ViewId>(
  () => VIEWS.find(({ id }) => id === parts.value[0])?.id ?? 'tools',
);

/** The selected item of the view, from the address: `#tools/tasks_get`. */
export const selected = computed<string | undefined>(() => {
  const [, item] = parts.value;
  if (item === undefined || item === '') return undefined;
  try {
    return decodeURIComponent(item);
  } catch {
    return item;
  }
});

export function hrefOf(id: ViewId, item?: string): string {
  return item === undefined ? `#${id}` : `#${id}/${encodeURIComponent(item)}`;
}

export function goTo(id: ViewId, item?: string): void {
  location.hash = hrefOf(id, item);
}
