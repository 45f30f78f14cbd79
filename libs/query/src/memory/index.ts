export { memoryAdapter, type MemoryQuery } from './memory.adapter.js';
