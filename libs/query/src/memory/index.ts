export {
  type MemoryAdapter,
  memoryAdapter,
  type MemoryKeysetQuery,
  type MemoryQuery,
  type MemoryQueryConfig,
} from './memory.adapter.js';
