import type { JsonSchema } from '../../decorators/author-schema.js';
import type { Definitions } from '../definitions.js';
import type { Direction } from './transformer-metadata.js';

/** State shared by the functions that build the schema of one parameter or response. */
export interface SchemaScope {
  readonly definitions: Definitions;
  /**
   * `carried`: the request can contain `null`, as in a body. `omitted`: null values are left out,
   * as in a query string or path.
   */
  readonly nulls: 'carried' | 'omitted';
  /** `in` for the arguments of a route, `out` for its responses. */
  readonly direction: Direction;
  /**
   * Returns the schema of a type: a reference for a class, keywords for `String`, `Number`, `Date`
   * ...
   */
  readonly schemaOfType: (type: unknown) => JsonSchema;
  /**
   * Reports a part that could not be published, at startup. Pass only the problem. The name of the
   * route is added to the message.
   */
  readonly warn: (fact: string) => void;
}
