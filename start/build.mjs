// Builds the demo: its pages, and apps/tasks into start/dist.
import { join } from 'node:path';
import { bundle, pages } from './bundle.mjs';

await pages();
await bundle({ main: 'apps/tasks/src/main.ts' }, join(import.meta.dirname, 'dist'));
