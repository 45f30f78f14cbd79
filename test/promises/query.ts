import type { Promised } from './promise.js';

export const queryPromises: readonly Promised[] = [];
