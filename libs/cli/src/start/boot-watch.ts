/** What a starting application has done so far. */
export interface BootSigns {
  /** Something reads stdin, so MCP is served. */
  readonly readsStdin: boolean;
  /** McpModule has taken stdout, so it serves MCP when the application is up. */
  readonly tookStdout: boolean;
  /** Milliseconds since a server began to listen on a port; 0 without one. */
  readonly listensForMs: number;
  readonly elapsedMs: number;
}

export type BootVerdict = 'serving' | 'waiting' | 'without-mcp' | 'too-late';

/** Milliseconds that an application has to load McpModule after it begins to listen. */
const GRACE_MS = 2_000;

/** Decides whether the application serves MCP, may still do so, or will not. */
export function bootVerdict(signs: BootSigns, timeoutMs: number): BootVerdict {
  if (signs.readsStdin) return 'serving';
  if (!signs.tookStdout && signs.listensForMs > GRACE_MS) return 'without-mcp';
  return signs.elapsedMs > timeoutMs ? 'too-late' : 'waiting';
}
