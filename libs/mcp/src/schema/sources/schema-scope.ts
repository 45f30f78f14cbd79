import type { JsonSchema } from '../../decorators/author-schema.js';
import type { Definitions } from '../definitions.js';

/** What the readers of one parameter share while they build its schema. */
export interface SchemaScope {
  readonly definitions: Definitions;
  /**
   * Whether a value may be `null` on its way: a body carries it, a query and a path cannot, there a
   * null is left out.
   */
  readonly nulls: 'carried' | 'omitted';
  /** The schema of a type: a reference for a class, keywords for `String`, `Number`, `Date` ... */
  readonly schemaOfType: (type: unknown) => JsonSchema;
  /** Says at boot what could not be published. The fact alone: the place is added. */
  readonly warn: (fact: string) => void;
}
