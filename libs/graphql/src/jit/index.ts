export { jit } from './jit.js';
export type { JitOptions } from './jit-executor.js';
