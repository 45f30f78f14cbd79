/**
 * Hides the type that the compiler emits for a parameter, so that every pipe sees `Object`. Pipes of the
 * application run before the pipe of `@Qs()` and `@Paginate()`. By the emitted type a `ValidationPipe` would
 * make a new instance of it from the query, and so lose the query: TypeScript emits `Function` for `Paginator`.
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
