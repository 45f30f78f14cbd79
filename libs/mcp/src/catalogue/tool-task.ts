import type { McpToolOptions, McpToolTask } from '../mcp-tool.options.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { McpOptionError } from '../mcp.errors.js';

/**
 * How calls of a tool become tasks. Undefined: they do not.
 * @throws McpOptionError for a time-out that is longer than tasks are kept
 */
export function toolTaskOf(
  label: string,
  meta: McpToolOptions | undefined,
  { tasks, limits }: ResolvedMcpOptions,
): Required<McpToolTask> | undefined {
  const { task = false, timeoutMs = limits.timeoutMs } = meta ?? {};
  if (task === false) return undefined;
  const { required = false, start = 'call' } = task === true ? {} : task;
  if (timeoutMs > tasks.ttlMs) {
    throw new McpOptionError(
      `@McpTool({ timeoutMs }) on ${label} is ${timeoutMs}, longer than tasks are kept (${tasks.ttlMs}). Raise ` +
        'McpModule.forRoot({ tasks: { ttlMs } }).',
    );
  }
  return { required, start };
}
