import { getMcpPromptMeta } from './mcp-prompt.decorator.js';
import { getMcpResourceMeta } from './mcp-resource.decorator.js';
import { getMcpToolMeta } from './mcp-tool.decorator.js';

/** The decorator that asks for a method to be published; undefined where it carries none. */
export function publishedBy(method: Function): string | undefined {
  const tool = getMcpToolMeta(method);
  if (tool && !tool.hidden) return '@McpTool';
  if (getMcpResourceMeta(method)) return '@McpResource';
  return getMcpPromptMeta(method) ? '@McpPrompt' : undefined;
}
