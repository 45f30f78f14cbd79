import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import type { TextFilter } from '../resolve/resolved-query.js';

/** `provider` of a datasource in the Prisma schema. */
export type PrismaProvider = 'postgresql' | 'cockroachdb' | 'mysql' | 'sqlite';

/** A condition of Prisma on a text. `mode` stands outside a `not`. */
export interface TextWhere extends Readonly<Record<string, unknown>> {
  readonly mode?: 'insensitive';
}

const NAMES = {
  contains: 'contains',
  starts: 'startsWith',
  ends: 'endsWith',
  ieq: 'equals',
} as const;

/**
 * A filter for a part of a text, or for the whole text, that ignores case. Prisma writes LIKE without ESCAPE, so wildcards
 * are escaped with the default escape character of the engine. SQLite has none: there, text with wildcards is refused.
 * @param origin the filter or search that the text comes from, for the 400
 * @throws InvalidQueryError
 */
export function textFilterOf(
  operator: TextFilter['operator'],
  text: string,
  provider: PrismaProvider,
  origin: Pick<QueryProblem, 'kind' | 'field' | 'operator'>,
): TextWhere {
  switch (provider) {
    case 'postgresql':
    case 'cockroachdb':
      // With this mode, `equals` is a pattern too.
      return { [NAMES[operator]]: escaped(text), mode: 'insensitive' };
    case 'mysql':
      // Prisma has no `mode` for MySQL; the collation decides about case.
      return { [NAMES[operator]]: operator === 'ieq' ? text : escaped(text) };
    case 'sqlite':
      if (operator === 'ieq') {
        // Without LIKE, its comparison is exact.
        throw new InvalidQueryError([
          { ...origin, reason: 'not-expressible', expected: 'eq, which is exact' },
        ]);
      }
      if (!/[%_]/.test(text)) return { [NAMES[operator]]: text };
      throw new InvalidQueryError([
        { ...origin, reason: 'not-expressible', expected: 'text without % and _' },
      ]);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
