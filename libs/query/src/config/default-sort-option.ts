import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryFieldConfig } from './field-config.js';

export interface DefaultKey {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/**
 * Returns the sort keys in `defaultSort` of a config. The first key is the most important.
 * @throws InvalidQueryConfigError if a field is not sortable or occurs twice, or if the format is
 * invalid
 */
export function defaultOrderOf(
  { defaultSort }: QueryFieldConfig,
  sortable: readonly string[],
): readonly DefaultKey[] {
  const order = [defaultSort ?? []].flat().map(keyOf);
  order.forEach(({ field }, i) => {
    if (!sortable.includes(field)) {
      throw new InvalidQueryConfigError(
        `\`defaultSort\` of a query config contains "${field}", which is not sortable.`,
        'Add the field to `sortable`, or remove it from `defaultSort`.',
      );
    }
    if (order.findIndex((key) => key.field === field) === i) return;
    throw new InvalidQueryConfigError(
      `\`defaultSort\` of a query config contains "${field}" twice.`,
      'Remove one of the two items.',
    );
  });
  return order;
}

function keyOf(text: unknown): DefaultKey {
  const [, field, direction] = (typeof text === 'string' && /^(.+):(asc|desc)$/s.exec(text)) || [];
  if (field !== undefined) return { field, direction: direction === 'asc' ? 'asc' : 'desc' };
  throw new InvalidQueryConfigError(
    `\`defaultSort\` of a query config contains ${JSON.stringify(text) ?? typeof text}, ` +
      `which does not have the form field:asc or field:desc.`,
    `Write defaultSort: 'createdAt:desc', or a list of such items.`,
  );
}
