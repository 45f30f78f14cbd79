import type { JsonSchema } from '../decorators/author-schema.js';

/** Where the value of one argument goes in the request. */
export interface ArgumentPlace {
  /** Property name in the tool's input schema. */
  readonly argument: string;
  readonly target: 'path' | 'query' | 'body';
  /** Name in the request: the argument `id__path` fills the path parameter `id`. */
  readonly name: string;
  /** How a list is written in the query. Undefined: its name is repeated for each item. */
  readonly list?: ListForm;
}

/** How a list is written in a query. */
export interface ListForm {
  readonly separator: string;
  /**
   * `joined`: all items in one text, as `style` and `explode` of `@ApiQuery` say. `split`: the name is repeated, and
   * the route splits the text of a single item.
   */
  readonly form: 'joined' | 'split';
}

/**
 * The input of an operation: its published schema, and where each argument goes in the request.
 * Built once at boot and deeply frozen.
 */
export interface OperationInput {
  /** JSON Schema 2020-12 of type object. Derived schemas have `additionalProperties: false`. */
  readonly schema: JsonSchema;
  /**
   * The schema by which arguments are checked, if it is not the published one: it accepts numbers for integers of 64
   * bits, which are published as text, or is a union, which clients reject at the root.
   */
  readonly accepted?: JsonSchema;
  readonly places: readonly ArgumentPlace[];
  /**
   * `none`: the request has no body. `fields`: the body is an object of the body's arguments.
   * `whole`: the argument named `body` is the body (arrays, scalars).
   */
  readonly body: 'none' | 'fields' | 'whole';
  /**
   * Names of query parameters that accept only objects, if the application's query parser reads no
   * objects. A derived schema omits them. A hand-written `inputSchema` publishes them, and a call
   * that sets one is rejected. Undefined if there are none.
   */
  readonly unreadable?: readonly string[];
  /**
   * Where arguments without a name in the schema go. Only a hand-written `inputSchema` can accept
   * them (`additionalProperties: true`). Undefined if every argument has a name.
   */
  readonly rest?: 'query' | 'body';
}
