import { signal } from '@preact/signals';

/** The time, once a second while the page is visible. Charts and ages follow it. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1000);
