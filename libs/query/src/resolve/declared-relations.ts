import { checkRelationNames } from '../config/config-names.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryRelation } from './relation.js';

/** A relation declared by hand. */
export interface RelationDeclaration {
  /** Whether a row may have several related rows. @default false: at most one */
  readonly many?: boolean | undefined;
}

/** Relations by path: `author` starts from the row, `author.team` from the author. */
export type DeclaredRelations = Readonly<Record<string, RelationDeclaration>>;

/**
 * Returns the relations of a config, by path.
 * @throws InvalidQueryConfigError for a path whose first relations are missing
 */
export function relationsOf(declared: DeclaredRelations = {}): ReadonlyMap<string, QueryRelation> {
  const relations = new Map<string, QueryRelation>();
  // Sorted so that each relation comes after the relation that it starts from.
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
 * Returns the relation of a field, and the default name of its column in the related row. A field
 * belongs to the relation whose path comes before its last name: `author.name` belongs to `author`.
 * @throws InvalidQueryConfigError for an unknown relation
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
    `${fact} "${path}", which is not declared in the relations of the query config.`,
    `Declare it: relations: { '${path}': { ... } }.`,
  );
}
