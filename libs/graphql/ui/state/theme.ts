import { effect } from '@preact/signals';
import { stored } from './stored.js';

const THEMES = ['system', 'light', 'dark'];

/** The colors: those of the system, or one of the two. */
export const theme = stored(() => localStorage, 'theme', 'system');

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});
