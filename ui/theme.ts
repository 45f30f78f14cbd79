import { computed, effect, signal } from '@preact/signals';
import { stored } from './stored.js';

type Theme = 'light' | 'dark';

const chosen = stored<Theme | null>(
  () => localStorage,
  'theme',
  (value) => (value === 'light' || value === 'dark' ? value : null),
);

const systemDark = matchMedia('(prefers-color-scheme: dark)');
const system = signal<Theme>(systemDark.matches ? 'dark' : 'light');
systemDark.addEventListener('change', (event) => {
  system.value = event.matches ? 'dark' : 'light';
});

/**
 * The current theme: the user's choice, otherwise the theme of the system. All pages of an
 * application share the choice.
 */
export const theme = computed<Theme>(() => chosen.value ?? system.value);

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export function toggleTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark';
}
