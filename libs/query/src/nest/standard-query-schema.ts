import type { RouteQueryOptions } from './query-module.options.js';
import type { JsonSchema } from './query-schema.js';

/**
 * Says by https://standardschema.dev/json-schema what a query may hold, so that whoever documents Nest's
 * `@Query({ schema })` documents this too. It validates nothing: that is left to the pipe behind it, which
 * knows the options of the application.
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

  constructor(private readonly describe: (options: RouteQueryOptions) => JsonSchema) {}

  /**
   * Takes the options that hold once the module's are known. A decorator runs once for all applications of
   * a process, so of several the last to boot is documented; each still reads queries by its own options.
   */
  heed(options: RouteQueryOptions): void {
    this.options = options;
  }
}
