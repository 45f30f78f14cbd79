import type { RouteQueryOptions } from '../query.options.js';
import type { JsonSchema } from './query-schema.js';

/**
 * Describes the query parameters as a Standard JSON Schema
 * (https://standardschema.dev/json-schema), which @nestjs/swagger and @fledge/mcp read from
 * `@Query({ schema })`. It validates nothing. The pipe validates, because the options of the
 * application are injected into the pipe.
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
   * Sets the options to document, after the options of `QueryModule` are injected. A decorator runs
   * once per process, so with several applications, the last application to start is documented.
   * Each application parses queries by its own options.
   */
  setOptions(options: RouteQueryOptions): void {
    this.options = options;
    for (const listener of this.listeners) listener();
  }

  /** The parameters, by name. */
  get properties(): Readonly<Record<string, object>> {
    return this.describe(this.options)['properties'] as Record<string, object>;
  }

  /** Calls a function after each change of the options. */
  onOptions(listener: () => void): void {
    this.listeners.push(listener);
  }
}
