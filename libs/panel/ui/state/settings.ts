import { computed, effect, signal } from '@preact/signals';
import type { Header } from '../api/app-request.js';
import { isRecord } from '../format/json.js';
import { stored } from './stored.js';

type Theme = 'light' | 'dark';

const chosenTheme = stored<Theme | null>(
  () => localStorage,
  'theme',
  (value) => (value === 'light' || value === 'dark' ? value : null),
);

const systemDark = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<Theme>(systemDark.matches ? 'dark' : 'light');
systemDark.addEventListener('change', (event) => {
  systemTheme.value = event.matches ? 'dark' : 'light';
});

/** The theme in use: the chosen one, else the system's. */
export const theme = computed<Theme>(() => chosenTheme.value ?? systemTheme.value);

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export function toggleTheme(): void {
  chosenTheme.value = theme.value === 'dark' ? 'light' : 'dark';
}

/** False turns keys without a modifier off (WCAG 2.1.4). */
export const singleKeys = stored(
  () => localStorage,
  'keys',
  (value) => value !== false,
);

/** The headers that the panel sends to the application. They are kept in this tab only. */
export const sendAs = stored<readonly Header[]>(() => sessionStorage, 'headers', headersIn);

function headersIn(value: unknown): readonly Header[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (header): header is Header =>
      isRecord(header) && typeof header['name'] === 'string' && typeof header['value'] === 'string',
  );
}

/** The headers with a name: those that are sent. */
export const sentHeaders = computed(() => sendAs.value.filter(({ name }) => name.trim() !== ''));
