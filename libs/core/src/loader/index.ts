import './ctx-loader.js';

export { ContextLoader } from './context-loader.js';
export type { LoadBatch, LoaderOptions } from './loader-here.js';
