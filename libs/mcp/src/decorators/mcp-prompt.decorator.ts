import { SetMetadata } from '@nestjs/common';

/** Options of `@McpPrompt`. */
export interface McpPromptOptions {
  /** Shown to the user who chooses a prompt. */
  readonly description: string;
  /** Unique across the server. @default `ControllerName.methodName` */
  readonly name?: string;
  /** A name for people. */
  readonly title?: string;
  /** Completions of the prompt's arguments, as in `@McpResource`. @default none */
  readonly complete?: Readonly<Record<string, string>>;
  /** As in `@McpTool`. */
  readonly scopes?: readonly string[];
  /** Milliseconds a prompt may take. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
}

const MCP_PROMPT_METADATA = 'fledge:mcp:prompt';

/**
 * Publishes a route as an MCP prompt: its parameters are the prompt's arguments. It answers a text,
 * a list of messages, or `{ messages, description? }`. Only records, like `@McpTool`.
 *
 * @example
 * ```ts
 * @Get('review')
 * @McpPrompt({ description: 'Reviews a task' })
 * review(@Query('id') id: string) {
 *   return `Review task ${id}: is it clear, small and testable?`;
 * }
 * ```
 */
export function McpPrompt(options: McpPromptOptions): MethodDecorator {
  return SetMetadata(MCP_PROMPT_METADATA, options);
}

/** The options `@McpPrompt` recorded on a method; undefined where it carries none. */
export function getMcpPromptMeta(method: Function): McpPromptOptions | undefined {
  return Reflect.getMetadata(MCP_PROMPT_METADATA, method) as McpPromptOptions | undefined;
}
