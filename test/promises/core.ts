import type { Promised } from './promise.js';

export const corePromises: readonly Promised[] = [];
