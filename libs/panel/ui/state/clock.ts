import { signal } from '@preact/signals';

/** The current time, updated every second while the page is visible. Charts and ages use it. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1000);
