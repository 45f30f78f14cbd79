import { nameDecorated } from '@fledge-internal/nest-modules';
import { flag, oneOf, type OptionTable, readOptions, text } from '@fledge-internal/options';
import type { Type } from '@nestjs/common';
import { placeOfCall } from '../query.defaults.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { hasQueryParameter } from './described-query.js';
import { pageModelOf, type PageTotal, partialModelOf, recordResponse } from './page-model.js';

/** Options of `@Paginated()`. */
export interface PaginatedOptions {
  /**
   * How the list counts its rows. The value changes `meta`: `none` removes `total`, `capped` adds
   * `totalIsLowerBound`, and `estimated` adds `totalIsEstimate`.
   * @default 'exact'
   */
  readonly total?: PageTotal;
  /**
   * True if the list uses cursors. `meta` then has `nextCursor` and `prevCursor` instead of `page`
   * and `total`.
   * @default false
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
 * Documents that a route returns a page of items. The OpenAPI document describes the response of
 * `paginate()` as a named component, such as `TaskPage`. With `outputSchemas: 'declared'`,
 * @fledge/mcp publishes it as the output schema of the tool. If clients can choose fields with the
 * parameter `fields`, no field is documented as required. The decorator does not change the
 * response.
 *
 * @param item the class of an item, with `@ApiProperty()` or the CLI plugin of @nestjs/swagger
 * @throws InvalidQueryConfigError at startup, if `item` is not a class, if an option is unknown or
 * invalid, or if both `total` and `cursors` are set
 * @example
 * ```ts
 * @Get()
 * @Paginated(Task)
 * list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) { ... }
 * ```
 */
export function Paginated(item: Type, options: PaginatedOptions = {}): MethodDecorator {
  return (target, key, { value: handler }) => {
    const place = placeOfCall('@Paginated', ` of ${nameDecorated(target, key)}`);
    const { total, cursors, description } = readOptions(options, OPTIONS, place);
    if (typeof item !== 'function') {
      throw new InvalidQueryConfigError(
        `@Paginated() of ${nameDecorated(target, key)} received ${typeof item} instead of an item class.`,
        'Pass a class that is defined before the class that uses @Paginated().',
      );
    }
    if (cursors && options.total !== undefined) {
      throw new InvalidQueryConfigError(
        `@Paginated() of ${nameDecorated(target, key)} sets \`total\` and \`cursors\`, ` +
          'but pages with cursors have no total.',
        'Remove `total` or `cursors`.',
      );
    }
    const model = hasQueryParameter(target, key, 'fields') ? partialModelOf(item) : item;
    recordResponse(handler, pageModelOf(model, cursors ? 'cursors' : total), description);
  };
}
