import type { RouteQueryOptions } from '../query.options.js';
import type { JsonSchema } from './query-schema.js';

/**
 * Describes the query parameters as a Standard JSON Schema
 * (https://standardschema.dev/json-schema). @nestjs/swagger and @fledge/mcp read it from `@Query({
 * schema })`. This schema does not validate. The pipe validates, because only the pipe receives the
 * options of the application.
 */
export class StandardQuerySchema {
  readonly '~standard' = {
    version: 1,
    vendor: 'fledge',
    validate: (value: unknown) => ({ value }),
    jsonSchema: {
      input: (): JsonSchema => this.describe(this.options),
      output: (): JsonSchema => ({ type: 'object' }),
    },
  } as const;

  private options: RouteQueryOptions = {};
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly describe: (options: RouteQueryOptions) => JsonSchema) {}

  /**
   * Sets the options to document. It is called after the options of `QueryModule` are injected. All
   * applications in a process share the decorators, so the document shows the options of the
   * application that started last. Each application still parses queries with its own options.
   */
  setOptions(options: RouteQueryOptions): void {
    this.options = options;
    for (const listener of this.listeners) listener();
  }

  /** The schemas of the parameters by name. */
  get properties(): Readonly<Record<string, object>> {
    return this.describe(this.options)['properties'] as Record<string, object>;
  }

  /** Calls the listener after each change of the options. */
  onOptions(listener: () => void): void {
    this.listeners.push(listener);
  }
}
