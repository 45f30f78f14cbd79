import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import 'reflect-metadata';
import { callOfRequest } from './call-of-request.js';
import type { McpCall } from './mcp-call.js';

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
    callOfRequest(context.switchToHttp().getRequest())?.asMcpCall(),
);

/**
 * Hides the type that the compiler emits for a parameter, so that a `ValidationPipe` passes the value as it is.
 * A copy of core's: a decorator loads none of core, which is 39 files.
 */
function untypedParameter(decorator: ParameterDecorator): ParameterDecorator {
  return (target, key, index) => {
    decorator(target, key, index);
    if (key === undefined) return;
    // Compilers define the types first: the last decorator of a method runs before all others.
    const types = Reflect.getOwnMetadata(PARAMETER_TYPES, target, key) as unknown[] | undefined;
    if (types) Reflect.defineMetadata(PARAMETER_TYPES, types.with(index, Object), target, key);
  };
}

const PARAMETER_TYPES = 'design:paramtypes';
