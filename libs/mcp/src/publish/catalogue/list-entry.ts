/** An item in a list result. */
export interface ListEntry {
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}
