import { signal } from '@preact/signals';

export const paletteOpen = signal(false);
export const headersOpen = signal(false);
export const keysOpen = signal(false);
