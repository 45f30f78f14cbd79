import { UnbuildableQueryError } from '../query.errors.js';

// The reserved characters and words of `where`, for reading and for writing. Characters are UTF-16 code units.

/** How deep groups may stand in each other. */
export const MAX_WHERE_DEPTH = 5;

export const BLANK = 0x20;
export const QUOTE = 0x22;
const OPEN = 0x28;
export const CLOSE = 0x29;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;

/** The members of a group. @throws UnbuildableQueryError for an empty one */
export function membersOfGroup<Node>(kind: 'and' | 'or', nodes: readonly Node[]): readonly Node[] {
  if (nodes.length > 0) return nodes;
  throw new UnbuildableQueryError(`group ${kind}()`, 'Give it at least one condition.');
}

/** True for a character that a bare value and a name cannot contain. */
export function isReserved(char: number): boolean {
  return char === COMMA || char === CLOSE || char === OPEN || char === QUOTE;
}

/** True for a value that has to stand in quotes, and for a field that `where` cannot name. */
export function needsQuotes(text: string): boolean {
  return text.startsWith(' ') || text.endsWith(' ') || /[(),"]/.test(text);
}

type Keyword = 'or' | 'and' | 'not' | 'some' | 'none';

// By first letter. `some` and `none` are reserved for conditions on related rows.
const KEYWORDS: Readonly<Record<number, readonly Keyword[] | undefined>> = {
  0x61: ['and'],
  0x6e: ['not', 'none'],
  0x6f: ['or'],
  0x73: ['some'],
};

/** The group that starts here. A field may be named as a keyword: no parenthesis follows it. */
export function groupAt(text: string, at: number): Keyword | undefined {
  for (const keyword of KEYWORDS[text.charCodeAt(at)] ?? []) {
    if (text.startsWith(keyword, at) && text.charCodeAt(at + keyword.length) === OPEN) {
      return keyword;
    }
  }
  return undefined;
}
