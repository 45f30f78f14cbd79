/** A relation on the way from a row to a column. */
export interface QueryRelation {
  /** The property of the relation in the row, or in the related row that it starts from. */
  readonly name: string;
  /** Whether several rows may be related. */
  readonly many: boolean;
  /** The relation that this relation starts from. @default none: the row itself */
  readonly from?: QueryRelation;
}

/** The path of a relation from the row: `project.owner`. */
export function pathOfRelation({ name, from }: QueryRelation): string {
  return from === undefined ? name : `${pathOfRelation(from)}.${name}`;
}

/** The properties of a column from which its path is built. */
interface RelatedColumn {
  readonly name: string;
  readonly relation?: QueryRelation;
}

/** The path of a column from the row: `project.owner.name`; for a column without a relation its name. */
export function pathOfColumn({ name, relation }: RelatedColumn): string {
  return relation === undefined ? name : `${pathOfRelation(relation)}.${name}`;
}

/** Returns a string that identifies a column, or a value inside a JSON column. */
export function identityOfColumn(
  column: RelatedColumn & { readonly json?: readonly string[] },
): string {
  const path = pathOfColumn(column);
  return column.json === undefined ? path : `${path} ${JSON.stringify(column.json)}`;
}

/** Returns the relations from the row to a relation, the nearest first. */
export function relationsTo(relation: QueryRelation | undefined): QueryRelation[] {
  return relation === undefined ? [] : [...relationsTo(relation.from), relation];
}

/**
 * Returns a relation that starts from another relation. Returns the other relation if no relation
 * is given.
 */
export function startingFrom(from: QueryRelation, relation?: QueryRelation): QueryRelation {
  return relation === undefined ? from : { ...relation, from: startingFrom(from, relation.from) };
}
