import { TextDecoder } from 'node:util';

const UTF_8 = new TextDecoder();

/**
 * Returns the decoder of a body by the `charset` of its media type, UTF-8 without one. It leaves out a byte order
 * mark. Undefined for a charset that Node.js cannot decode.
 */
export function bodyDecoder(contentType: string | undefined): TextDecoder | undefined {
  const charset = charsetIn(contentType);
  if (charset === undefined || /^utf-?8$/i.test(charset)) return UTF_8;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/** The `charset` of a media type. Undefined if it has none. */
export function charsetIn(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
}
