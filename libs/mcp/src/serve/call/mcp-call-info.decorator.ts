import { methodParameter, untypedParameter } from '@fledge-internal/nest-modules';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { McpOptionError } from '../../mcp.errors.js';
import { neededMcpModule } from '../../publish/decorators/mcp-module-needed.js';
import { callOfRequest } from './call-of-request.js';
import type { McpCall } from './mcp-call.js';

/**
 * Injects the `McpCall` of the current request into a parameter. The value is undefined on plain
 * HTTP.
 *
 * @throws McpOptionError if the decorator is not on a parameter of a method
 * @example
 * ```ts
 * @Post('import')
 * @McpTool({ description: 'Imports tasks' })
 * import(@McpCallInfo() call: McpCall | undefined) {
 *   call?.progress(0, 100);
 * }
 * ```
 */
export const McpCallInfo = (): ParameterDecorator => {
  neededMcpModule.need();
  return methodParameter(
    '@McpCallInfo()',
    untypedParameter(CallOfRequest()),
    (message) => new McpOptionError(message),
  );
};

const CallOfRequest = createParamDecorator(
  (_data: unknown, context: ExecutionContext): McpCall | undefined =>
    callOfRequest(context.switchToHttp().getRequest())?.asMcpCall(),
);
