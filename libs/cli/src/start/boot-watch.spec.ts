import { describe, expect, it } from '@jest/globals';
import { bootVerdict } from './boot-watch.js';

describe('bootVerdict', () => {
  const starting = { readsStdin: false, tookStdout: false, listensForMs: 0, elapsedMs: 100 };

  it.each([
    ['waiting', starting],
    ['serving', { ...starting, readsStdin: true, elapsedMs: 99_999 }],
    ['waiting', { ...starting, listensForMs: 1_000 }],
    ['without-mcp', { ...starting, listensForMs: 3_000 }],
    // Metrics listen while a database migrates.
    ['waiting', { ...starting, listensForMs: 3_000, tookStdout: true }],
    ['too-late', { ...starting, tookStdout: true, elapsedMs: 60_001 }],
  ])('is %s after %j', (verdict, signs) => {
    expect(bootVerdict(signs, 60_000)).toBe(verdict);
  });
});
