import { flag, oneOf, type OptionTable, readOptions, text } from '@fledge-internal/options';
import type { Type } from '@nestjs/common';
import { placeOfCall } from '../query.defaults.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { hasQueryParameter } from './described-query.js';
import { placeOf } from './list-route.js';
import { pageModelOf, type PageTotal, partialModelOf } from './page-model.js';

/** Options of `@Paginated()`. */
export interface PaginatedOptions {
  /**
   * How the list counts its rows. This determines the properties of `meta`: `none` has no `total`,
   * `capped` has `totalIsLowerBound`, and `estimated` has `totalIsEstimate`.
   * @default 'exact'
   */
  readonly total?: PageTotal;
  /**
   * The list uses cursors: `meta` has `nextCursor` and `prevCursor`, and neither `page` nor
   * `total`. @default false
   */
  readonly cursors?: boolean;
  /** Description of the response. @default 'One page of the list.' */
  readonly description?: string;
}

const OPTIONS = {
  total: oneOf('exact', 'none', 'capped', 'estimated').default('exact'),
  cursors: flag.default(false),
  description: text.default('One page of the list.'),
} satisfies OptionTable<PaginatedOptions>;

/**
 * Documents that a route returns a page of items. The OpenAPI document describes the paginated
 * response of `paginate()` as a named component, such as `TaskPage`. With
 * `outputSchemas: 'declared'`, @fledge/mcp publishes it as the output schema of the tool. If
 * clients can choose the fields of items with `fields`, no field is documented as required. The
 * decorator does not change the response.
 *
 * @param item the class of an item, with `@ApiProperty()` or the CLI plugin of @nestjs/swagger
 * @throws InvalidQueryConfigError when the decorator runs, so at startup, if `item` is not a class,
 * for an unknown or invalid option, and for `total` together with `cursors`
 * @example
 * ```ts
 * @Get()
 * @Paginated(Task)
 * list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) { ... }
 * ```
 */
export function Paginated(item: Type, options: PaginatedOptions = {}): MethodDecorator {
  return (target, key, { value: handler }) => {
    const place = placeOfCall('@Paginated', ` of ${placeOf(target, key)}`);
    const { total, cursors, description } = readOptions(options, OPTIONS, place);
    if (typeof item !== 'function') {
      throw new InvalidQueryConfigError(
        `@Paginated() of ${placeOf(target, key)} received ${item === undefined ? 'undefined' : typeof item} instead of the class of an item.`,
        'Pass a class that is defined before this one.',
      );
    }
    if (cursors && options.total !== undefined) {
      throw new InvalidQueryConfigError(
        `@Paginated() of ${placeOf(target, key)} has both total and cursors, but a page by cursor has no total.`,
        'Remove one of them.',
      );
    }
    const responses = (Reflect.getMetadata(RESPONSES, handler as object) ?? {}) as Responses;
    const model = hasQueryParameter(target, key, 'fields') ? partialModelOf(item) : item;
    const page = {
      type: pageModelOf(model, cursors ? 'cursors' : total),
      isArray: false,
      description,
    };
    Reflect.defineMetadata(RESPONSES, { ...responses, 200: page }, handler as object);
  };
}

/** Metadata key of `@ApiResponse()`. Copied here, because @nestjs/swagger is optional. */
const RESPONSES = 'swagger/apiResponse';

type Responses = Readonly<Record<string, object>>;
