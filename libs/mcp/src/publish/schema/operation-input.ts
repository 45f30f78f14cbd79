import type { JsonSchema } from '../decorators/author-schema.js';

/** The place of an argument in the request. */
export interface ArgumentPlace {
  /** Property name in the tool's input schema. */
  readonly argument: string;
  readonly target: 'path' | 'query' | 'body';
  /** Name in the request. For example, the argument `id__path` sets the path parameter `id`. */
  readonly name: string;
  /** The form of a list in the query string. If undefined, the name is repeated for each item. */
  readonly list?: ListForm;
}

/** The form of a list in a query string. */
export interface ListForm {
  readonly separator: string;
  /**
   * `joined`: all items in one value, according to `style` and `explode` of `@ApiQuery`. `split`:
   * the name is repeated for each item, and the route splits the value of a single item.
   */
  readonly form: 'joined' | 'split';
}

/**
 * The input of an operation: its published schema, and the place of each argument in the request.
 * Built once at startup and deeply frozen.
 */
export interface OperationInput {
  /** JSON Schema 2020-12 of type object. Derived schemas have `additionalProperties: false`. */
  readonly schema: JsonSchema;
  /**
   * The schema that validates arguments, if it differs from the published schema. This schema may
   * accept numbers for 64-bit integers, although the published schema has strings. It may be a
   * union at the root, although clients would reject such a schema.
   */
  readonly accepted?: JsonSchema;
  readonly places: readonly ArgumentPlace[];
  /**
   * `none`: the request has no body. `fields`: the body is an object, and each argument of the body
   * is a field. `whole`: the argument named `body` is the complete body (arrays, scalars).
   */
  readonly body: 'none' | 'fields' | 'whole';
  /**
   * Names of query parameters that accept only objects, if the application's query string parser
   * does not support objects. A derived schema omits these parameters. A hand-written `inputSchema`
   * may contain them, but a call with one of them is rejected. Undefined if there are none.
   */
  readonly unreadable?: readonly string[];
  /**
   * The place (query or body) for arguments that are not in the schema. Only a hand-written
   * `inputSchema` can accept such arguments (`additionalProperties: true`). Undefined if the schema
   * accepts no other arguments.
   */
  readonly rest?: 'query' | 'body';
}
