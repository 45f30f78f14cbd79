/** SQL as text, with the names and values between, as an adapter writes them. */
export type Sql<Part extends object> = readonly (string | Part)[];

/** The parts with a text between them. */
export function joined<Part extends object>(parts: readonly Sql<Part>[], by: string): Sql<Part> {
  return parts.flatMap((part, i) => (i === 0 ? part : [by, ...part]));
}
