import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import type { TextFilter } from '../resolve/resolved-query.js';

export type PrismaProvider = 'postgresql' | 'cockroachdb' | 'mysql' | 'sqlite';

const NAMES = { contains: 'contains', starts: 'startsWith', ends: 'endsWith' } as const;

/**
 * Part of a text, whatever its case. Prisma writes LIKE without ESCAPE: where the engine's own escape
 * character is the backslash it is used; SQLite has none, so a wildcard cannot be asked for there.
 * @param origin what the text is of, for the 400
 */
export function textFilterOf(
  operator: TextFilter['operator'],
  text: string,
  provider: PrismaProvider,
  origin: Pick<QueryProblem, 'kind' | 'field' | 'operator'>,
): object {
  switch (provider) {
    case 'postgresql':
    case 'cockroachdb':
      return { [NAMES[operator]]: escaped(text), mode: 'insensitive' };
    case 'mysql':
      // Case is the collation's matter; Prisma has no `mode` there.
      return { [NAMES[operator]]: escaped(text) };
    case 'sqlite':
      if (!/[%_]/.test(text)) return { [NAMES[operator]]: text };
      throw new InvalidQueryError([
        { ...origin, reason: 'not-expressible', expected: 'text without % and _' },
      ]);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
