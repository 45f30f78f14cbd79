import { isPlainObject, nearestTo, type Place } from '@fledge-internal/options';
import { Logger } from '@nestjs/common';
import type { GraphQLSchema } from 'graphql';

/**
 * Warns about a property of a root value that no root field uses, because graphql-js ignores it.
 * This is no error, because several schemas may share a root value. Checks only plain objects. The
 * methods of other objects may call each other.
 */
export function reportUnknownFields(rootValue: unknown, schema: GraphQLSchema, place: Place): void {
  if (!isPlainObject(rootValue)) return;
  const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = types.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  const unknown = Object.keys(rootValue).find((name) => !fields.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestTo(unknown, fields);
  const guess = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const fact = `has no effect.${guess} It is not a field of Query, Mutation or Subscription`;
  new Logger('GraphQL').warn(place.at('rootValue').at(unknown).error(fact).message);
}
