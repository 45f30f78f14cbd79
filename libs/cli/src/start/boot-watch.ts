/** The observed progress of a starting application. */
export interface BootSigns {
  /** True if any code reads stdin. MCP is then served. */
  readonly readsStdin: boolean;
  /**
   * True if McpModule has taken stdout. McpModule serves MCP as soon as the application has
   * started.
   */
  readonly tookStdout: boolean;
  /** Milliseconds since a server began to listen on a port. 0 if no server listens. */
  readonly listensForMs: number;
  readonly elapsedMs: number;
}

export type BootVerdict = 'serving' | 'waiting' | 'without-mcp' | 'too-late';

/**
 * Milliseconds to wait after the first server listens. During this time, the application may still
 * load McpModule.
 */
const GRACE_MS = 2_000;

/**
 * Returns the state of the application: it serves MCP, it may serve MCP later, or it will never
 * serve MCP.
 */
export function bootVerdict(signs: BootSigns, timeoutMs: number): BootVerdict {
  if (signs.readsStdin) return 'serving';
  if (!signs.tookStdout && signs.listensForMs > GRACE_MS) return 'without-mcp';
  return signs.elapsedMs > timeoutMs ? 'too-late' : 'waiting';
}
