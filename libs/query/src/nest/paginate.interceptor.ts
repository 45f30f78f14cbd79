import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  Optional,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { onceFor } from '../config/once-for.js';
import { type AnyMeta, linkHeader } from '../page/links.js';
import { type AnyResult, paginateAny } from '../page/paginate.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { mergeOptions, withoutReports } from '../query.defaults.js';
import type { QueryModuleOptions } from '../query.options.js';
import { listRouteOf } from './list-route.js';
import { queryReader } from './query-reader.js';
import { QUERY_OPTIONS } from './query-tokens.js';

/**
 * Turns `{ data, total }` or `{ data, cursorOf }` returned by a handler into a paginated response. Other properties are kept; other values
 * pass unchanged. The page is taken from `parsed` if the handler returns it, otherwise from its `@Qs()`.
 *
 * @example
 * ```ts
 * @UseInterceptors(PaginateInterceptor)
 * @Get() list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) { return this.tasks.find(query); }
 * ```
 */
@Injectable()
export class PaginateInterceptor implements NestInterceptor {
  private readonly readerOf = onceFor((handler: Function) => {
    const { config, options } = listRouteOf(handler) ?? {};
    return queryReader(config, withoutReports(mergeOptions(this.options, options)));
  });

  constructor(
    @Optional() @Inject(QUERY_OPTIONS) private readonly options: QueryModuleOptions = {},
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    return next.handle().pipe(map((value: unknown) => this.respond(value, context)));
  }

  private respond(value: unknown, context: ExecutionContext): unknown {
    if (!hasRows(value)) return value;
    const { url, originalUrl = url, query } = context.getArgByIndex<HttpRequest>(0);
    const parsed = () => this.readerOf(context.getHandler())(query);
    if (isPaginated(value)) {
      if (this.options.linkHeader) this.link(originalUrl, parsed(), value.meta, context);
      return value;
    }
    if (!isFetched(value)) return value;
    const { data, total, cursorOf, parsed: given = parsed(), ...others } = value;
    const rows = total === undefined ? { data, cursorOf } : { data, total };
    const response = paginateAny({ ...rows, parsed: given } as AnyResult) as Paginated;
    if (this.options.linkHeader) this.link(originalUrl, given, response.meta, context);
    return { ...others, ...response };
  }

  private link(
    url: string,
    parsed: AnyParsedQuery,
    meta: AnyMeta,
    context: ExecutionContext,
  ): void {
    const response = context.getArgByIndex<HttpResponse>(1);
    const links = [response.getHeader('link') ?? [], linkHeader(url, parsed, meta)].flat();
    response.header('link', links.join(', '));
  }
}

/** The common part of the requests of Express and Fastify. */
interface HttpRequest {
  readonly url: string;
  readonly originalUrl?: string;
  readonly query: unknown;
}

/** The common part of Express' response and Fastify's reply. */
interface HttpResponse {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

interface WithRows {
  readonly data: readonly unknown[];
}

/** What a handler returns: with a total, or with `cursorOf`. */
interface Fetched extends WithRows {
  readonly total?: unknown;
  readonly cursorOf?: unknown;
  readonly parsed?: AnyParsedQuery;
}

interface Paginated extends WithRows {
  readonly meta: AnyMeta;
}

function hasRows(value: unknown): value is WithRows {
  return (
    typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)
  );
}

function isFetched(value: WithRows): value is Fetched {
  if ('total' in value && value.total !== undefined) return true;
  return 'cursorOf' in value && typeof value.cursorOf === 'function';
}

function isPaginated(value: WithRows): value is Paginated {
  if (!('meta' in value) || typeof value.meta !== 'object' || value.meta === null) return false;
  const hasPlace = 'page' in value.meta || 'nextCursor' in value.meta;
  return hasPlace && 'limit' in value.meta && 'hasNext' in value.meta;
}
