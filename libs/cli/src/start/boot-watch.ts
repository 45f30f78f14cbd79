/** What is seen of an application that starts. */
export interface BootSigns {
  /** Something reads stdin: MCP is served. */
  readonly readsStdin: boolean;
  /** McpModule asked for stdout, so MCP will be served once the application is up. */
  readonly tookStdout: boolean;
  /** A server listens on a port, for this long. */
  readonly listensForMs: number;
  readonly elapsedMs: number;
}

export type BootVerdict = 'serving' | 'waiting' | 'without-mcp' | 'too-late';

/** Time for an application that listens already to import its McpModule, in milliseconds. */
const GRACE_MS = 2_000;

/** Whether an application is up, will be, or never will be. */
export function bootVerdict(signs: BootSigns, timeoutMs: number): BootVerdict {
  if (signs.readsStdin) return 'serving';
  if (!signs.tookStdout && signs.listensForMs > GRACE_MS) return 'without-mcp';
  return signs.elapsedMs > timeoutMs ? 'too-late' : 'waiting';
}
