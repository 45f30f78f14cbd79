import 'reflect-metadata';

/**
 * Hides the type that the compiler emits for a parameter, so pipes see `Object`. The value comes
 * from the server, so it needs no conversion. A `ValidationPipe` would replace the value with a new
 * instance of the emitted type: a class, or `Function` for an interface with a call signature.
 */
export function untypedParameter(decorator: ParameterDecorator): ParameterDecorator {
  return (target, key, index) => {
    decorator(target, key, index);
    if (key === undefined) return;
    // Compilers emit the types as the last decorator of a method. The last decorator runs first.
    const types = Reflect.getOwnMetadata(PARAMETER_TYPES, target, key) as unknown[] | undefined;
    if (types) Reflect.defineMetadata(PARAMETER_TYPES, types.with(index, Object), target, key);
  };
}

const PARAMETER_TYPES = 'design:paramtypes';
