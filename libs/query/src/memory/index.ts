export {
  type MemoryAdapter,
  memoryAdapter,
  type MemoryKeysetQuery,
  type MemoryQuery,
} from './memory.adapter.js';
