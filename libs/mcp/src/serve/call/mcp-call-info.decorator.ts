import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import 'reflect-metadata';
import { callOfRequest } from './call-of-request.js';
import type { McpCall } from './mcp-call.js';

/**
 * Injects the `McpCall` of the current request into a parameter. The value is undefined on plain
 * HTTP.
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
 * Replaces the parameter type emitted by the compiler with Object, so a `ValidationPipe` does not
 * change the value. Copied from core, so a decorator does not load core's 39 files.
 */
function untypedParameter(decorator: ParameterDecorator): ParameterDecorator {
  return (target, key, index) => {
    decorator(target, key, index);
    if (key === undefined) return;
    // The types are already defined, because compilers add them as the last decorator of a method,
    // which runs first.
    const types = Reflect.getOwnMetadata(PARAMETER_TYPES, target, key) as unknown[] | undefined;
    if (types) Reflect.defineMetadata(PARAMETER_TYPES, types.with(index, Object), target, key);
  };
}

const PARAMETER_TYPES = 'design:paramtypes';
