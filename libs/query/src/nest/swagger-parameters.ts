import type { StandardQuerySchema } from './standard-query-schema.js';

/**
 * Documents a query for @nestjs/swagger 11, which ignores the schema of a parameter. Records the
 * same metadata as one `@ApiQuery()` per property. The properties are getters, because the options
 * of `QueryModule` are available only when the document is created. An `@ApiQuery()` of the handler
 * takes precedence. If one handler has both `@Qs()` and `@Paginate()`, the first decorator is
 * documented.
 */
export function describeForSwagger(handler: Function, schema: StandardQuerySchema): void {
  const declared = (name: string) => declaredOf(handler).find((other) => other.name === name);
  const parameterOf = (name: string): ApiParameter => ({
    name,
    in: 'query',
    get required() {
      return declared(name)?.required ?? false;
    },
    get description() {
      return declared(name)?.description ?? propertiesOf(schema)[name]?.description;
    },
    get schema() {
      return { ...propertiesOf(schema)[name], ...declared(name)?.schema };
    },
  });
  let own: readonly ApiParameter[] = [];
  const record = () => {
    const others = allOf(handler).filter((parameter) => !own.includes(parameter));
    own = Object.keys(propertiesOf(schema)).map(parameterOf);
    for (const parameter of own) recorded.add(parameter);
    Reflect.defineMetadata(API_PARAMETERS, [...others, ...own], handler);
  };
  record();
  // An option may add or remove a parameter.
  schema.onOptions(record);
}

const API_PARAMETERS = 'swagger/apiParameters';

interface ApiParameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string | undefined;
  readonly schema?: object;
}

/** Parameter decorators run from last to first, so `@Paginate()` may run first. */
const recorded = new WeakSet<ApiParameter>();

function declaredOf(handler: Function): readonly ApiParameter[] {
  return allOf(handler).filter((parameter) => !recorded.has(parameter));
}

function allOf(handler: Function): readonly ApiParameter[] {
  return (Reflect.getMetadata(API_PARAMETERS, handler) ?? []) as readonly ApiParameter[];
}

function propertiesOf(schema: StandardQuerySchema): Readonly<Record<string, ApiParameter>> {
  return schema.properties;
}
