import 'reflect-metadata';

/**
 * Hides the type that the compiler emits for a parameter, so that every pipe sees `Object`. The value is made
 * by the server and fits its parameter already. By the emitted type a `ValidationPipe` would make a new
 * instance of it, and so lose it: TypeScript emits `Function` for an interface with a call signature, and the
 * class for a class.
 */
export function untypedParameter(decorator: ParameterDecorator): ParameterDecorator {
  return (target, key, index) => {
    decorator(target, key, index);
    if (key === undefined) return;
    // Compilers define the types first: the last decorator of a method runs before all others.
    const types = Reflect.getOwnMetadata(PARAMETER_TYPES, target, key) as unknown[] | undefined;
    if (types) Reflect.defineMetadata(PARAMETER_TYPES, types.with(index, Object), target, key);
  };
}

const PARAMETER_TYPES = 'design:paramtypes';
