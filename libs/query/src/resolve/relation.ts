/** A relation on the way from a row to a column. */
export interface QueryRelation {
  /** The property of the relation, in the row from which the relation starts. */
  readonly name: string;
  /** True if several rows may be related. */
  readonly many: boolean;
  /** The relation from which this relation starts. @default none: the row itself */
  readonly from?: QueryRelation;
}

/** Returns the path of a relation: `project.owner`. */
export function pathOfRelation({ name, from }: QueryRelation): string {
  return from === undefined ? name : `${pathOfRelation(from)}.${name}`;
}

interface RelatedColumn {
  readonly name: string;
  readonly relation?: QueryRelation;
}

/** Returns `project.owner.name`, or only the name if the column has no relation. */
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

/** The relation nearest to the row is first. */
export function relationsTo(relation: QueryRelation | undefined): QueryRelation[] {
  return relation === undefined ? [] : [...relationsTo(relation.from), relation];
}

/** Puts `from` before the other relation. Returns `from` if there is no other relation. */
export function startingFrom(from: QueryRelation, relation?: QueryRelation): QueryRelation {
  return relation === undefined ? from : { ...relation, from: startingFrom(from, relation.from) };
}
