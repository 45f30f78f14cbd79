import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A file of a page, kept in memory. */
export interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

/**
 * Reads a file of a page.
 * @param type media type of the file
 * @throws the error of node:fs
 */
export function readPageFile(file: URL, type: string): PageFile {
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, type, etag: `"${hash.slice(0, 22)}"` };
}

/** Sends a file, or 304 if the browser already has it. */
export function sendPageFile(
  { bytes, type, etag }: PageFile,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('etag', etag);
  // The file names stay the same when the content changes. So the browser must ask each time, and
  // receives 304 for an unchanged file.
  response.setHeader('cache-control', 'no-cache');
  if (request.headers['if-none-match']?.includes(etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.statusCode = 200;
  response.setHeader('content-type', type);
  response.setHeader('content-length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

const OWN_FILES = ["default-src 'none'", "script-src 'self'", "style-src 'self'"];
const NOTHING_ELSE = [
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/**
 * Sets the security headers of a page that a package serves. These headers replace the
 * application's headers, because a CSP for JSON responses may forbid pages.
 * @param directives additional CSP directives
 */
export function protectPage(response: ServerResponse, directives: readonly string[] = []): void {
  const policy = [...OWN_FILES, ...directives, ...NOTHING_ELSE].join('; ');
  for (const name of response.getHeaderNames()) {
    if (name.startsWith('access-control-')) response.removeHeader(name);
  }
  response.setHeader('content-security-policy', policy);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
}
