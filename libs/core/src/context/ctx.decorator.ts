import { methodParameter, untypedParameter } from '@fledge-internal/nest-modules';
import {
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { CoreOptionError, NoRequestContextError } from '../errors.js';
import { contextOfExecution, currentContext } from './open-context.js';
import type { RequestContext } from './request-context.js';

/**
 * Injects the request's context into a handler or a GraphQL resolver.
 *
 * @throws CoreOptionError if the decorator is not on a parameter of a method
 * @example
 * ```ts
 * @Get() list(@Ctx() ctx: RequestContext) { return ctx.get('user') }
 * ```
 */
export const Ctx = (): ParameterDecorator =>
  methodParameter('@Ctx()', untypedParameter(WholeContext()), optionError);

const WholeContext = createParamDecorator((_: unknown, execution: ExecutionContext) =>
  contextFor(execution),
);

const ContextEntry = createParamDecorator((key: string, execution: ExecutionContext) =>
  contextFor(execution).get(key),
);

/**
 * Injects the value of a context key into a handler or a GraphQL resolver.
 *
 * @param pipes the pipes that transform the value. They receive the type of the parameter. If there
 * are none, global pipes receive the type `Object`
 * @throws CoreOptionError if the decorator is not on a parameter of a method
 *
 * @example
 * ```ts
 * @Get() list(@FromContext('user') user: User) { ... }
 * ```
 */
export function FromContext(
  key: string,
  // This type is declared here, because Nest 11 has no type for such decorators.
  ...pipes: (Type<PipeTransform> | PipeTransform)[]
): ParameterDecorator {
  const decorator = ContextEntry(key, ...pipes);
  return methodParameter(
    `@FromContext('${key}')`,
    pipes.length > 0 ? decorator : untypedParameter(decorator),
    optionError,
  );
}

function optionError(message: string): CoreOptionError {
  return new CoreOptionError(message);
}

function contextFor(execution: ExecutionContext): RequestContext {
  const context = contextOfExecution(execution) ?? currentContext();
  if (context === undefined) throw new NoRequestContextError();
  return context;
}
