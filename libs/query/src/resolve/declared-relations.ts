import { checkRelationNames } from '../config/config-names.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryRelation } from './relation.js';

/** A relation in a config. */
export interface RelationDeclaration {
  /** True if a row may have several related rows. @default false: at most one */
  readonly many?: boolean | undefined;
}

/**
 * Relations. The keys are paths: `author` starts from the row, and `author.team` from the author.
 */
export type DeclaredRelations = Readonly<Record<string, RelationDeclaration>>;

/** @throws InvalidQueryConfigError if a path starts with a relation that is not declared */
export function relationsOf(declared: DeclaredRelations = {}): ReadonlyMap<string, QueryRelation> {
  const relations = new Map<string, QueryRelation>();
  // Sorted, because a relation must come after the relation from which it starts.
  for (const path of Object.keys(declared).toSorted((a, b) => a.length - b.length)) {
    checkRelationNames(path, declared[path]);
    const dot = path.lastIndexOf('.');
    const name = path.slice(dot + 1);
    const many = declared[path]?.many === true;
    if (dot === -1) {
      relations.set(path, { name, many });
      continue;
    }
    const from = relations.get(path.slice(0, dot));
    if (from === undefined) throw missing(`Relation "${path}" starts from`, path.slice(0, dot));
    relations.set(path, { name, many, from });
  }
  return relations;
}

/**
 * Returns the relation of a field, and the default name of its column. The part of the field before
 * the last dot is the path of the relation: `author.name` belongs to `author`.
 * @throws InvalidQueryConfigError if the relation is unknown
 */
export function relationOfField(
  field: string,
  declared: string | undefined,
  relations: ReadonlyMap<string, QueryRelation>,
): { readonly relation?: QueryRelation; readonly name: string } {
  const dot = field.lastIndexOf('.');
  const path = declared ?? (dot === -1 ? undefined : field.slice(0, dot));
  const relation = path === undefined ? undefined : relations.get(path);
  if (relation !== undefined) {
    return { relation, name: path === field.slice(0, dot) ? field.slice(dot + 1) : field };
  }
  if (declared === undefined) return { name: field };
  throw missing(`Field "${field}" has the relation`, declared);
}

function missing(fact: string, path: string): InvalidQueryConfigError {
  return new InvalidQueryConfigError(
    `${fact} "${path}", but \`relations\` of the query config does not declare it.`,
    `Declare the relation: relations: { '${path}': { ... } }.`,
  );
}
