import { nameDecorated } from './decorated-name.js';

const PARAMETER_TYPES = 'design:paramtypes';

/** TypeScript passes no key for a parameter of a constructor. */
export type MethodParameterDecorator = (
  target: object,
  key: string | symbol,
  index: number,
) => void;

/**
 * Restricts a decorator to parameters of methods. NestJS ignores it in other places.
 * @param name the decorator, for messages, such as `@Ctx()`
 */
export function methodParameter(
  name: string,
  decorator: MethodParameterDecorator,
  errorOf: (message: string) => Error,
): ParameterDecorator {
  return (target, key, index: unknown) => {
    if (key !== undefined && typeof index === 'number' && isMethod(target, key)) {
      return decorator(target, key, index);
    }
    const parameter = typeof index === 'number' ? 'a parameter of ' : '';
    const place = `${parameter && key === undefined ? 'new ' : ''}${nameDecorated(target, key)}`;
    throw errorOf(`${name} is on ${parameter}${place}, but must be on a parameter of a method.`);
  };
}

/** Returns false for setters. */
function isMethod(target: object, key: string | symbol): boolean {
  return typeof Object.getOwnPropertyDescriptor(target, key)?.value === 'function';
}

/**
 * Hides the type that the compiler emits for a parameter, so pipes see `Object`. The value comes
 * from the server, so it needs no conversion. A `ValidationPipe` would replace the value with a new
 * instance of the emitted type: a class, or `Function` for an interface with a call signature.
 */
export function untypedParameter(decorator: MethodParameterDecorator): MethodParameterDecorator {
  return (target, key, index) => {
    decorator(target, key, index);
    // Compilers emit the types as the last decorator of a method. The last decorator runs first.
    const types = Reflect.getOwnMetadata(PARAMETER_TYPES, target, key) as unknown[] | undefined;
    if (types) Reflect.defineMetadata(PARAMETER_TYPES, types.with(index, Object), target, key);
  };
}
