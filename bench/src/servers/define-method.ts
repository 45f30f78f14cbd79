import type { Type } from '@nestjs/common';

/** Adds a method to a class, with what a compiler would have written for it had it stood there. */
export function defineMethod(
  type: Type,
  name: string,
  method: (...args: never[]) => unknown,
  { decorators, parameters }: { decorators: MethodDecorator[]; parameters: MethodParameter[] },
): void {
  const prototype = type.prototype as object;
  const descriptor = { value: method, writable: true, configurable: true };
  Object.defineProperty(prototype, name, descriptor);
  Reflect.defineMetadata(
    'design:paramtypes',
    parameters.map((parameter) => parameter.type),
    prototype,
    name,
  );
  for (const [i, parameter] of parameters.entries()) parameter.decorator(prototype, name, i);
  for (const decorator of decorators) decorator(prototype, name, descriptor);
}

export interface MethodParameter {
  readonly type: unknown;
  readonly decorator: ParameterDecorator;
}
