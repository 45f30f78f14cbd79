import { signal } from '@preact/signals';
import { isNamedType, type GraphQLNamedType } from 'graphql';
import { schema } from './schema.js';
import { side } from './side.js';

/** The types that the user opened. The last one is the current one. */
export const trail = signal<readonly string[]>([]);

/** Opens the documentation of a type: for `[User!]!`, the page of `User`. */
export function showInDocs(type: string | undefined): void {
  const name = type?.replace(/[[\]!]/g, '');
  if (name === undefined || typeNamed(name) === undefined) return;
  side.value = 'docs';
  if (trail.value.at(-1) !== name) trail.value = [...trail.value, name];
}

export function typeNamed(name: string): GraphQLNamedType | undefined {
  const found = schema.value.state === 'loaded' ? schema.value.schema.getType(name) : undefined;
  return isNamedType(found) ? found : undefined;
}
