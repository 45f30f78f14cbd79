import type { Promised } from './promise.js';

export const rootPromises: readonly Promised[] = [];
