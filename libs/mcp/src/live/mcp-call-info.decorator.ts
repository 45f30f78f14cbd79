import { untypedParameter } from '@fledge/core';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { liveCallOf } from './live-call.js';
import { BoundMcpCall, type McpCall } from './mcp-call.js';

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
  (_data: unknown, context: ExecutionContext): McpCall | undefined => {
    const live = liveCallOf(context.switchToHttp().getRequest());
    return live && new BoundMcpCall(live);
  },
);
