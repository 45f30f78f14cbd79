import type { McpExtensionPromptOptions } from '../../extensions/options.js';
import { recordOptions } from './record-options.js';

/** Options of `@McpPrompt`. */
export interface McpPromptOptions extends McpExtensionPromptOptions {
  /** Description shown to the user who chooses a prompt. */
  readonly description: string;
  /** Prompt name, unique on the server. @default `ControllerName.methodName` */
  readonly name?: string;
  /** Display name. @default none */
  readonly title?: string;
  /** Completions of the prompt's arguments; see `McpResourceOptions.complete`. @default none */
  readonly complete?: Readonly<Record<string, string>>;
  /** Required OAuth scopes; see `McpToolOptions.scopes`. @default none */
  readonly scopes?: readonly string[];
  /** Tags; see `McpToolOptions.tags`. @default the tags of `@ApiTags` of @nestjs/swagger */
  readonly tags?: readonly string[];
  /** Timeout of a call in milliseconds. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
}

/** The options of `@McpPrompt`, without the options of extensions. */
export type McpCorePromptOptions = Omit<McpPromptOptions, keyof McpExtensionPromptOptions>;

/** Metadata key of the `@McpPrompt` options on a method. */
export const MCP_PROMPT_METADATA = 'fledge:mcp:prompt';

/**
 * Publishes a route as an MCP prompt. The route's parameters become the prompt's arguments. The
 * route returns a string, a list of messages, or `{ messages, description? }`. Like `@McpTool`, the
 * decorator only records metadata. If the prompt cannot be published, startup fails with an
 * `McpError`, such as `NotARouteError`, `DuplicatePromptError` or `CompletionError`.
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
  return recordOptions('@McpPrompt', MCP_PROMPT_METADATA, options);
}

/** Returns the `@McpPrompt` options of a method, or undefined if it is not decorated. */
export function getMcpPromptMeta(method: Function): McpPromptOptions | undefined {
  return Reflect.getMetadata(MCP_PROMPT_METADATA, method) as McpPromptOptions | undefined;
}
