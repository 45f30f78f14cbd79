import { Inject, Injectable, Optional, type PipeTransform, type Type } from '@nestjs/common';
import type { RouteQueryOptions } from './query-module.options.js';
import { QUERY_OPTIONS } from './query.tokens.js';

/** A pipe made by Nest, which knows the options of the application it is in. */
export function injectedPipe(
  transformFor: (module: RouteQueryOptions | undefined) => (query: unknown) => unknown,
): Type<PipeTransform> {
  @Injectable()
  class InjectedQueryPipe implements PipeTransform {
    private readonly read: (query: unknown) => unknown;

    constructor(@Optional() @Inject(QUERY_OPTIONS) module?: RouteQueryOptions) {
      this.read = transformFor(module);
    }

    transform(query: unknown): unknown {
      return this.read(query);
    }
  }
  return InjectedQueryPipe;
}
