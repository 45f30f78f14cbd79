import type { Promised } from './promise.js';

export const graphqlPromises: readonly Promised[] = [];
