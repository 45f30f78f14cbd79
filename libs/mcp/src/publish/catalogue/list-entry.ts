/** An item as a list result returns it. */
export interface ListEntry {
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}
