import type { Type } from '@nestjs/common';
import { InvalidQueryConfigError } from '../query.errors.js';
import { pageModelOf, type PageTotal } from './page-model.js';

/** Options of `@Paginated()`. */
export interface PaginatedOptions {
  /**
   * How the list counts its rows, which decides the properties of `meta`: `none` has no `total`, `capped` has
   * `totalIsLowerBound`, `estimated` has `totalIsEstimate`.
   * @default 'exact'
   */
  readonly total?: PageTotal;
  /** Description of the response. @default 'One page of the list.' */
  readonly description?: string;
}

/**
 * Documents that a route answers with a page of items: the paginated response of `paginate()`, as a named component of
 * the OpenAPI document, such as `TaskPage`. @fledge/mcp publishes it as the output schema of the tool, with
 * `outputSchemas: 'declared'`. The decorator does not change the answer.
 *
 * @param item the class of an item, with `@ApiProperty()` or the CLI plugin of @nestjs/swagger
 * @throws InvalidQueryConfigError when the decorator runs, so at boot, if `item` is no class
 * @example
 * ```ts
 * @Get()
 * @Paginated(Task)
 * list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) { ... }
 * ```
 */
export function Paginated(item: Type, options: PaginatedOptions = {}): MethodDecorator {
  const { total = 'exact', description = 'One page of the list.' } = options;
  return (target, key, { value: handler }) => {
    if (typeof item !== 'function') {
      const place = `${target.constructor.name}.${String(key)}`;
      throw new InvalidQueryConfigError(
        `@Paginated() of ${place} got ${item === undefined ? 'undefined' : typeof item} for the class of an item.`,
        'Pass a class that is defined before this one.',
      );
    }
    const responses = (Reflect.getMetadata(RESPONSES, handler as object) ?? {}) as Responses;
    const page = { type: pageModelOf(item, total), isArray: false, description };
    Reflect.defineMetadata(RESPONSES, { ...responses, 200: page }, handler as object);
  };
}

/** Metadata key of `@ApiResponse()`. Copied here, because @nestjs/swagger is optional. */
const RESPONSES = 'swagger/apiResponse';

type Responses = Readonly<Record<string, object>>;
