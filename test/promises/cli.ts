import type { Promised } from './promise.js';

export const cliPromises: readonly Promised[] = [];
