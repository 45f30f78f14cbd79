import { Inject, Injectable, Optional, type PipeTransform, type Type } from '@nestjs/common';
import type { QueryModuleOptions } from '../query.options.js';
import { QUERY_OPTIONS } from './query-tokens.js';

/** A pipe class that Nest instantiates, so that the options of `QueryModule` are injected. */
export function injectedPipe(
  transformFor: (module: QueryModuleOptions | undefined) => (query: unknown) => unknown,
): Type<PipeTransform> {
  @Injectable()
  class InjectedQueryPipe implements PipeTransform {
    private readonly read: (query: unknown) => unknown;

    constructor(@Optional() @Inject(QUERY_OPTIONS) module?: QueryModuleOptions) {
      this.read = transformFor(module);
    }

    transform(query: unknown): unknown {
      return this.read(query);
    }
  }
  return InjectedQueryPipe;
}
