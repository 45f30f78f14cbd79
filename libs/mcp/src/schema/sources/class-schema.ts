import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../decorators/tool.metadata.js';
import { classPropertiesOf } from './class-properties.js';
import { propertyField } from './property-schema.js';
import type { SchemaScope } from './schema-scope.js';
import { objectSchema } from '../shape.js';

/**
 * The schema of a DTO class; undefined where no decorator says anything about it. Properties it
 * does not name are left open: whether they are stripped or refused is the ValidationPipe's choice.
 */
export function classSchemaOf(type: Type, scope: SchemaScope): JsonSchema | undefined {
  const properties = classPropertiesOf(type);
  if (properties.length === 0) return undefined;
  return objectSchema(properties.map((property) => propertyField(property, scope)));
}

/** Whether decorators say anything about a class. */
export function isDescribed(type: Type): boolean {
  return classPropertiesOf(type).length > 0;
}
