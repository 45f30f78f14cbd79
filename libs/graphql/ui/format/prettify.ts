import { type DocumentNode, parse, print, type Token, TokenKind } from 'graphql';

/**
 * Formats a document with the printer of graphql-js, and adds the comments, which that printer
 * drops.
 * @throws GraphQLError if the document has syntax errors
 */
export function prettify(text: string): string {
  const source = parse(text);
  const printed = `${print(source)}\n`;
  const lines = printed.split('\n');
  const places = placesOf(tokensOf(source), tokensOf(parse(printed)));
  // Starts at the end, so the line numbers of earlier comments stay valid.
  for (const { comment, before, after } of commentsOf(source).toReversed()) {
    const sign = `#${comment.value}`;
    const previous = after && places.get(after);
    const next = places.get(before)?.line ?? lines.length;
    if (previous && comment.line === after.line) lines[previous.line - 1] += ` ${sign}`;
    else lines.splice(next - 1, 0, `${/^ */.exec(lines[next - 1] ?? '')![0]}${sign}`);
  }
  return lines.join('\n');
}

interface Comment {
  readonly comment: Token;
  /** The token that follows the comment. */
  readonly before: Token;
  /** The token before the comment. Undefined if the comment is the first thing in the document. */
  readonly after: Token | undefined;
}

function commentsOf(source: DocumentNode): readonly Comment[] {
  const all = allTokens(source);
  return all.flatMap((comment, at) => {
    if (comment.kind !== TokenKind.COMMENT) return [];
    const before = all.slice(at).find(isSyntax);
    const after = all.slice(0, at).findLast(isSyntax);
    return before ? [{ comment, before, after }] : [];
  });
}

/**
 * Returns where each token of the source is in the printed text. Both have the same tokens, except
 * that the printer drops a redundant `query`.
 */
function placesOf(source: readonly Token[], printed: readonly Token[]): Map<Token, Token> {
  const places = new Map<Token, Token>();
  let at = 0;
  for (const token of source) {
    const same = printed[at];
    if (!same) break;
    places.set(token, same);
    if (token.kind === same.kind && (token.value === same.value || isString(token))) at++;
  }
  return places;
}

function isString({ kind }: Token): boolean {
  return kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING;
}

function tokensOf(source: DocumentNode): readonly Token[] {
  return allTokens(source).filter(isSyntax);
}

function isSyntax({ kind }: Token): boolean {
  return kind !== TokenKind.COMMENT && kind !== TokenKind.SOF;
}

function allTokens({ loc }: DocumentNode): readonly Token[] {
  const tokens: Token[] = [];
  for (let token: Token | null | undefined = loc?.startToken; token; token = token.next) {
    tokens.push(token);
  }
  return tokens;
}
