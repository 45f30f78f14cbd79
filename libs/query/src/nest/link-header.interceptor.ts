import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { cacheByObject } from '../config/cache-by-object.js';
import { type AnyMeta, linkHeader, rawLinkHeader } from '../page/links.js';
import { mergeOptions, withoutReports } from '../query.defaults.js';
import type { QueryModuleOptions } from '../query.options.js';
import { parsedRouteOf } from './list-route.js';
import { queryReader } from './query-reader.js';
import { QUERY_OPTIONS } from './query-tokens.js';

/** Sets the `Link` header if `linkHeader` is on. The links repeat the query of the request. */
@Injectable()
export class LinkHeaderInterceptor implements NestInterceptor {
  private readonly readerOf = cacheByObject((handler: Function) => {
    const route = parsedRouteOf(handler);
    if (route === undefined) return undefined;
    return queryReader(route.config, withoutReports(mergeOptions(this.options, route.options)));
  });

  constructor(@Inject(QUERY_OPTIONS) private readonly options: QueryModuleOptions) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const answer = next.handle();
    if (this.options.linkHeader !== true || context.getType() !== 'http') return answer;
    return answer.pipe(
      map((value: unknown) => {
        if (isPaginated(value)) this.link(value.meta, context);
        return value;
      }),
    );
  }

  private link(meta: AnyMeta, context: ExecutionContext): void {
    const { method, url, originalUrl = url, query } = context.getArgByIndex<HttpRequest>(0);
    // HTTP QUERY gets no links, because clients follow a link with GET.
    if (method === 'QUERY') return;
    const response = context.getArgByIndex<HttpResponse>(1);
    const read = this.readerOf(context.getHandler());
    // Other handlers parse the query with a config that only they have.
    const own = read
      ? linkHeader(originalUrl, read(query), meta)
      : rawLinkHeader(originalUrl, meta);
    const links = [response.getHeader('link') ?? [], own].flat();
    response.header('link', links.join(', '));
  }
}

/** The common part of the requests of Express and Fastify. */
interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly originalUrl?: string;
  readonly query: unknown;
}

/** The common part of Express' response and Fastify's reply. */
interface HttpResponse {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

function isPaginated(value: unknown): value is { readonly meta: AnyMeta } {
  if (typeof value !== 'object' || value === null) return false;
  if (!('data' in value) || !Array.isArray(value.data)) return false;
  if (!('meta' in value) || typeof value.meta !== 'object' || value.meta === null) return false;
  const hasPlace = 'page' in value.meta || 'nextCursor' in value.meta;
  return hasPlace && 'limit' in value.meta && 'hasNext' in value.meta;
}
