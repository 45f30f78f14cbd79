import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { liveCallOf } from './live-call.js';
import type { McpCall } from './mcp-call.js';
import { untypedParameter } from './untyped-parameter.js';

/**
 * The MCP call a handler serves; undefined on plain HTTP.
 *
 * @example
 * ```ts
 * @Post('import')
 * @McpTool({ description: 'Imports tasks' })
 * import(@McpCallInfo() call: McpCall | undefined) {
 *   call?.progress(0, 100);
 * }
 * ```
 */
export const McpCallInfo = (): ParameterDecorator => untypedParameter(CallOfRequest());

const CallOfRequest = createParamDecorator(
  (_data: unknown, context: ExecutionContext): McpCall | undefined =>
    liveCallOf(context.switchToHttp().getRequest())?.asMcpCall(),
);
