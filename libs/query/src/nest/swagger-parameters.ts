import type { StandardQuerySchema } from './standard-query-schema.js';

/**
 * Documents a query for @nestjs/swagger 11, which reads no schema of a parameter: records what an
 * `@ApiQuery()` for each property would. The values are read with the document, when the options of
 * `QueryModule` are known. What an `@ApiQuery()` of the handler says of a parameter takes precedence; of
 * `@Qs()` and `@Paginate()` on one handler, the first counts.
 */
export function describeForSwagger(handler: Function, schema: StandardQuerySchema): void {
  const own = Object.keys(propertiesOf(schema)).map((name): ApiParameter => ({
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
  }));
  const declared = (name: string) => declaredOf(handler).find((other) => other.name === name);
  for (const parameter of own) recorded.add(parameter);
  Reflect.defineMetadata(API_PARAMETERS, [...declaredOf(handler), ...own], handler);
}

const API_PARAMETERS = 'swagger/apiParameters';

interface ApiParameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string | undefined;
  readonly schema?: object;
}

/** Decorators of parameters run from the last to the first, so `@Paginate()` may have come before. */
const recorded = new WeakSet<ApiParameter>();

function declaredOf(handler: Function): readonly ApiParameter[] {
  const all = (Reflect.getMetadata(API_PARAMETERS, handler) ?? []) as readonly ApiParameter[];
  return all.filter((parameter) => !recorded.has(parameter));
}

function propertiesOf(schema: StandardQuerySchema): Record<string, ApiParameter> {
  return schema['~standard'].jsonSchema.input()['properties'] as Record<string, ApiParameter>;
}
