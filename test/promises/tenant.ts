import type { Promised } from './promise.js';

export const tenantPromises: readonly Promised[] = [];
