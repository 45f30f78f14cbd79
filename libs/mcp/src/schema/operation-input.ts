import type { JsonSchema } from '../decorators/author-schema.js';

/** Where the value of one argument goes in the request. */
export interface ArgumentPlace {
  /** Property name in the tool's input schema. */
  readonly argument: string;
  readonly target: 'path' | 'query' | 'body';
  /** Name at that place: `id__path` goes to the path parameter `id`. */
  readonly name: string;
}

/**
 * What a tool takes: the published schema and the way from each argument to its place.
 * Built once at boot, deeply frozen.
 */
export interface OperationInput {
  /** JSON Schema 2020-12 of type object; unless hand-written with `additionalProperties: false`. */
  readonly schema: JsonSchema;
  readonly places: readonly ArgumentPlace[];
  /**
   * `none`: the request has no body. `fields`: an object of the arguments placed in the body.
   * `whole`: the argument named `body` is the body (arrays, scalars).
   */
  readonly body: 'none' | 'fields' | 'whole';
  /**
   * Names of query parameters that take an object where the application's query parser reads none.
   * They are left out, or published by an author's own `inputSchema` and refused when given.
   * Undefined where there are none.
   */
  readonly unreadable?: readonly string[];
  /**
   * Where an argument goes that the schema lets in without naming it, which only a hand-written
   * `inputSchema` can do (`additionalProperties: true`). Undefined where every argument has a name.
   */
  readonly rest?: 'query' | 'body';
}
