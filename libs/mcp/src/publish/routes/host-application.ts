import { CallerHeaders, CallerTenants } from '@fledge/core/packages';
import { Injectable } from '@nestjs/common';
import {
  type AbstractHttpAdapter,
  ApplicationConfig,
  HttpAdapterHost,
  ModulesContainer,
} from '@nestjs/core';
import { fastifyQueryParser, type QueryParser, queryParserOf } from './query-parser.js';

/** The part of Express that is used here. Nest finds the body parsers by the same names. */
interface ExpressApplication {
  readonly router: { readonly stack: readonly { readonly handle?: Function }[] };
}

/** The application whose routes are published: its HTTP adapter, settings and caller headers. */
@Injectable()
export class HostApplication {
  private fastifyParser: QueryParser | undefined;

  constructor(
    /** The global prefix and versioning. The code in `main.ts` may still change them. */
    readonly config: ApplicationConfig,
    /** The request headers that can identify a caller. */
    readonly callerHeaders: CallerHeaders,
    readonly callerTenants: CallerTenants,
    private readonly adapterHost: HttpAdapterHost,
    readonly modules: ModulesContainer,
  ) {
    this.onAdapter((adapter) => {
      if (adapter.getType() === 'fastify') {
        this.fastifyParser = fastifyQueryParser(adapter.getInstance());
      }
    });
  }

  /** Undefined in a standalone application context, which has no HTTP server. */
  get adapter(): AbstractHttpAdapter | undefined {
    return (this.adapterHost.httpAdapter as AbstractHttpAdapter | null) ?? undefined;
  }

  /** Empty, or starts with a slash. */
  get globalPrefix(): string {
    const prefix = this.config.getGlobalPrefix();
    return prefix === '' || prefix.startsWith('/') ? prefix : `/${prefix}`;
  }

  /** The application's query string parser, or Fastify's default if there is no server. */
  get queryParser(): QueryParser {
    return this.fastifyParser ?? queryParserOf(this.adapter?.getInstance());
  }

  /** True if `@Body() text: string` can receive a string: on Express only with a text parser. */
  get readsText(): boolean {
    const { router } = (this.adapter?.getInstance() ?? {}) as Partial<ExpressApplication>;
    return router?.stack.some(({ handle }) => handle?.name === 'textParser') ?? true;
  }

  /**
   * Calls `callback` when Nest has set the HTTP adapter, before `main.ts` can use it. In a
   * standalone application context, `callback` is never called.
   */
  onAdapter(callback: (adapter: AbstractHttpAdapter) => void): void {
    this.adapterHost.init$.subscribe(() => {
      if (this.adapter) callback(this.adapter);
    });
  }
}
