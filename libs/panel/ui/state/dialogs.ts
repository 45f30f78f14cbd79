import { signal } from '@preact/signals';

/** Which dialogs are open. */
export const paletteOpen = signal(false);
export const headersOpen = signal(false);
export const keysOpen = signal(false);
