import { isStandardSchema, type StandardSchema } from '../../decorators/standard-schema.js';

/** The zod schema behind a DTO class of nestjs-zod (`createZodDto`); undefined for any other class. */
export function zodDtoSchema(type: Function): StandardSchema | undefined {
  const { isZodDto, schema } = type as { isZodDto?: unknown; schema?: unknown };
  return isZodDto === true && isStandardSchema(schema) ? schema : undefined;
}
