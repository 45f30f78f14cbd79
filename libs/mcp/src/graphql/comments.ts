import { type ASTNode, type Token, TokenKind } from 'graphql';

/**
 * Returns the comment lines directly above a node, or undefined if there are none. Comments above a
 * blank line, such as a license, are ignored.
 */
export function commentAbove({ loc }: ASTNode): string | undefined {
  const lines: string[] = [];
  let below = loc?.startToken;
  for (let token = below?.prev; token && below; token = token.prev) {
    if (!isCommentLine(token) || token.line !== below.line - 1) break;
    const text = token.value.trim();
    // Skips bundler directives such as #import "./fragment.graphql".
    if (!text.startsWith('import ')) lines.unshift(text);
    below = token;
  }
  return lines.join('\n').trim() || undefined;
}

/** Returns true for a comment that is alone on its line. */
function isCommentLine(token: Token): token is Token & { readonly value: string } {
  return token.kind === TokenKind.COMMENT && token.prev?.line !== token.line;
}
