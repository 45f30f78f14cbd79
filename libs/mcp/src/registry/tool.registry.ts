import { DuplicateToolError } from '../mcp.errors.js';
import type { Tool } from './tool.js';

/** The tools of the server, fixed at boot. */
export class ToolRegistry {
  private readonly byName: ReadonlyMap<string, Tool>;
  /** JSON of the `tools/list` result: serialised once, sent as it is. */
  readonly listJson: string;

  /** @throws DuplicateToolError when two tools have one name */
  constructor(tools: readonly Tool[] = []) {
    const byName = new Map<string, Tool>();
    for (const tool of tools) {
      const first = byName.get(tool.name);
      if (first) throw new DuplicateToolError(tool.name, first.route.label, tool.route.label);
      byName.set(tool.name, tool);
    }
    this.byName = byName;
    this.listJson = JSON.stringify({ tools: tools.map(listed) });
  }

  get all(): readonly Tool[] {
    return [...this.byName.values()];
  }

  find(name: string): Tool | undefined {
    return this.byName.get(name);
  }
}

/** A tool as `tools/list` shows it (MCP 2025-11-25, `Tool`). */
function listed(tool: Tool) {
  return {
    name: tool.name,
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(tool.output && { outputSchema: tool.output.schema }),
    annotations: tool.annotations,
  };
}
