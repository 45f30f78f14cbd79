import type ts from 'typescript';

/** A list in square brackets, or the properties of an object literal. */
export interface Brackets {
  readonly elements: ts.NodeArray<ts.Node>;
  /** The position after the closing bracket. */
  readonly end: number;
}

/**
 * Adds an element after the last element. Existing comments stay next to the element before them.
 */
export function appendElement(
  text: string,
  { elements, end }: Brackets,
  added: string,
  compiler: typeof ts,
): string {
  const last = elements.at(-1);
  const close = end - 1;
  if (last === undefined) return intoEmpty(text, elements.pos, close, added);
  const behind = elements.hasTrailingComma ? elements.end : last.end;
  const at = compiler.getTrailingCommentRanges(text, behind)?.at(-1)?.end ?? behind;
  const isOnOneLine = !text.slice(at, close).includes('\n');
  const glue = isOnOneLine ? ' ' : `\n${indentAt(text, last.getStart())}`;
  if (elements.hasTrailingComma) return `${text.slice(0, at)}${glue}${added},${text.slice(at)}`;
  // A comma after a `// ...` comment would become part of the comment.
  const comma = isOnOneLine ? at : last.end;
  return `${text.slice(0, comma)},${text.slice(comma, at)}${glue}${added}${text.slice(at)}`;
}

/**
 * Adds an element to an empty list. If the list contains comments, the element comes after the
 * comments.
 */
function intoEmpty(text: string, open: number, close: number, added: string): string {
  const comments = text.slice(open, close).trimEnd();
  const space = text[close] === '}' ? ' ' : '';
  if (!comments.includes('\n') && !comments.includes('//')) {
    const before = comments === '' ? space : `${comments} `;
    return `${text.slice(0, open)}${before}${added}${space}${text.slice(close)}`;
  }
  const indent = indentAt(text, close);
  return `${text.slice(0, open)}${comments}\n${indent}  ${added},\n${indent}${text.slice(close)}`;
}

/** Returns the white space at the start of the line that contains a position. */
function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}
