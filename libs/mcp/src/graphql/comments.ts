import { type ASTNode, type Token, TokenKind } from 'graphql';

/**
 * The text of the comment lines directly above a node. Undefined if there is none. A blank line separates:
 * what is above it, such as a license, does not belong to the node.
 */
export function commentAbove({ loc }: ASTNode): string | undefined {
  const lines: string[] = [];
  let below = loc?.startToken;
  for (let token = below?.prev; token && below; token = token.prev) {
    if (!isCommentLine(token) || token.line !== below.line - 1) break;
    const text = token.value.trim();
    // A directive of bundlers, such as #import "./fragment.graphql".
    if (!text.startsWith('import ')) lines.unshift(text);
    below = token;
  }
  return lines.join('\n').trim() || undefined;
}

/** True for a comment that has its line to itself. */
function isCommentLine(token: Token): token is Token & { readonly value: string } {
  return token.kind === TokenKind.COMMENT && token.prev?.line !== token.line;
}
