/** A sentence of a page that promises something for every case, and the test that fails if it does not hold. */
export interface Promised {
  /** Path of the page from the root of the repository. */
  readonly page: string;
  /** Words of the line, as the page has them. */
  readonly words: string;
  /** Path of the spec from the root of the repository. */
  readonly spec: string;
  /** Part of the title of the test. */
  readonly test: string;
}
