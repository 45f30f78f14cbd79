import type { StandardQuerySchema } from './standard-query-schema.js';

/**
 * Documents a query for @nestjs/swagger 11, which ignores the schema of a parameter. Records the
 * same metadata as one `@ApiQuery()` per property. The properties are getters, because the options
 * of `QueryModule` are available only when the document is created. An `@ApiQuery()` of the handler
 * takes precedence. If one handler has both `@Qs()` and `@Paginate()`, the first decorator is
 * documented.
 */
export function describeForSwagger(handler: Function, schema: StandardQuerySchema): void {
  const properties = (): Readonly<Record<string, ApiParameter>> => schema.properties;
  const declared = (name: string) =>
    parametersOf(handler).find((other) => other.name === name && !recorded.has(other));
  const parameterOf = (name: string): ApiParameter => ({
    name,
    in: 'query',
    get required() {
      return declared(name)?.required ?? false;
    },
    get description() {
      return declared(name)?.description ?? properties()[name]?.description;
    },
    get schema() {
      return { ...properties()[name], ...declared(name)?.schema };
    },
  });
  let own: readonly ApiParameter[] = [];
  const record = () => {
    const others = parametersOf(handler).filter((parameter) => !own.includes(parameter));
    own = Object.keys(properties()).map(parameterOf);
    for (const parameter of own) recorded.add(parameter);
    Reflect.defineMetadata(API_PARAMETERS, [...others, ...own], handler);
  };
  record();
  // An option may add or remove a parameter.
  schema.onOptions(record);
}

/** A metadata key of @nestjs/swagger. Copied, because the package is optional. */
export const API_PARAMETERS = 'swagger/apiParameters';

export interface ApiParameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string | undefined;
  readonly schema?: object;
}

/** Parameter decorators run from last to first, so `@Paginate()` may run first. */
const recorded = new WeakSet<ApiParameter>();

export function parametersOf(handler: Function): readonly ApiParameter[] {
  return (Reflect.getMetadata(API_PARAMETERS, handler) ?? []) as readonly ApiParameter[];
}
