/**
 * Replaces the type that the compiler emits for a parameter by `Object`. Pipes of the application run before the pipe
 * of `@Qs()` and `@Paginate()`, and a `ValidationPipe` with `transform` instantiates the emitted type, which loses the
 * query. For `Paginator` TypeScript emits `Function`. Core has the same function; neither package depends on the other.
 */
export function untypedParameter(decorator: ParameterDecorator): ParameterDecorator {
  return (target, key, index) => {
    decorator(target, key, index);
    if (key === undefined) return;
    // Compilers emit the types as the last decorator of the method, which runs first.
    const types = Reflect.getOwnMetadata(PARAMETER_TYPES, target, key) as unknown[] | undefined;
    if (types) Reflect.defineMetadata(PARAMETER_TYPES, types.with(index, Object), target, key);
  };
}

const PARAMETER_TYPES = 'design:paramtypes';
