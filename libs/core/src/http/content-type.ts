import { TextDecoder } from 'node:util';

/**
 * Returns the media type of a `Content-Type` in lower case, without parameters, or '' if the header
 * is missing.
 */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Returns the `charset` of a `Content-Type`, or undefined if there is no charset. */
export function charsetIn(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
}

const UTF_8 = new TextDecoder();
const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns a decoder for the `charset` of a `Content-Type`. Without a charset, returns a decoder for
 * UTF-8. The decoder removes a byte order mark. Returns undefined for a charset that Node.js cannot
 * decode.
 * @param options if `fatal` is true, the decoder throws for bytes that are invalid in the charset
 */
export function bodyDecoder(
  contentType: string | undefined,
  { fatal = false }: { readonly fatal?: boolean } = {},
): TextDecoder | undefined {
  const charset = charsetIn(contentType);
  if (charset === undefined || /^utf-?8$/i.test(charset)) return fatal ? STRICT_UTF_8 : UTF_8;
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return undefined;
  }
}
