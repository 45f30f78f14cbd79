/** The observed progress of a starting application. */
export interface BootSigns {
  /** True if something reads stdin. MCP is then served. */
  readonly readsStdin: boolean;
  /** True if McpModule has taken stdout. It serves MCP as soon as the application has started. */
  readonly tookStdout: boolean;
  /** Milliseconds since a server began to listen on a port. 0 if no server listens. */
  readonly listensForMs: number;
  readonly elapsedMs: number;
}

export type BootVerdict = 'serving' | 'waiting' | 'without-mcp' | 'too-late';

/**
 * Milliseconds after the first server listens. During this time, the application may still load
 * McpModule.
 */
const GRACE_MS = 2_000;

/** Returns whether the application serves MCP, may still serve MCP later, or never will. */
export function bootVerdict(signs: BootSigns, timeoutMs: number): BootVerdict {
  if (signs.readsStdin) return 'serving';
  if (!signs.tookStdout && signs.listensForMs > GRACE_MS) return 'without-mcp';
  return signs.elapsedMs > timeoutMs ? 'too-late' : 'waiting';
}
