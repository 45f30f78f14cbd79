import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import 'reflect-metadata';
import { neededMcpModule } from '../../publish/decorators/mcp-module-needed.js';
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
export const McpCallInfo = (): ParameterDecorator => {
  neededMcpModule.need();
  return untypedParameter(CallOfRequest());
};

const CallOfRequest = createParamDecorator(
  (_data: unknown, context: ExecutionContext): McpCall | undefined =>
    callOfRequest(context.switchToHttp().getRequest())?.asMcpCall(),
);

/**
 * Sets the parameter's type in the compiler's metadata to Object. A `ValidationPipe` then does not
 * change the value. This function is a copy from core, because importing core would load about 50
 * files.
 */
function untypedParameter(decorator: ParameterDecorator): ParameterDecorator {
  return (target, key, index) => {
    decorator(target, key, index);
    if (key === undefined) return;
    // The metadata already exists here: compilers add it as the last decorator of a method, and the
    // last decorator runs first.
    const types = Reflect.getOwnMetadata(PARAMETER_TYPES, target, key) as unknown[] | undefined;
    if (types) Reflect.defineMetadata(PARAMETER_TYPES, types.with(index, Object), target, key);
  };
}

const PARAMETER_TYPES = 'design:paramtypes';
