import type { JsonSchema } from '../../decorators/author-schema.js';
import type { Definitions } from '../definitions.js';
import type { Direction } from './transformer-metadata.js';

/** State shared by the functions that build the schema of one parameter, or of one answer. */
export interface SchemaScope {
  readonly definitions: Definitions;
  /**
   * Whether the request can carry `null`. A body can (`carried`). A query or path cannot
   * (`omitted`): a null is left out.
   */
  readonly nulls: 'carried' | 'omitted';
  /** `in` for the arguments of a route, `out` for its answers. */
  readonly direction: Direction;
  /** The schema of a type: a reference for a class, keywords for `String`, `Number`, `Date` ... */
  readonly schemaOfType: (type: unknown) => JsonSchema;
  /** Reports at boot what could not be published. Pass only the fact: the route's name is added. */
  readonly warn: (fact: string) => void;
}
