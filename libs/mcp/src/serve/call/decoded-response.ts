import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { CallResponse } from './recording.js';

/**
 * Undoes the content codings of a response, as a client of HTTP does. At most `limit` bytes are kept, because a small
 * body can be decoded to a huge one. A response stays as it is if one of its codings is unknown or damaged.
 */
export async function decodedResponse(
  response: CallResponse,
  limit: number,
): Promise<CallResponse> {
  const codings = codingsOf(response);
  const headers = { ...response.headers };
  delete headers['content-encoding'];
  delete headers['content-length'];
  let { body } = response;
  let isLonger = response.isLonger === true || body.length < response.bytes;
  try {
    for (const coding of codings.toReversed()) {
      const decoder = decoderOf(coding, body);
      if (decoder === undefined) return response;
      const decoded = await collected(decoder, body, limit);
      body = decoded.body;
      isLonger ||= decoded.isLonger;
    }
  } catch {
    return response;
  }
  return {
    ...response,
    headers,
    body,
    bytes: body.length,
    ...(isLonger && { isLonger: true as const }),
  };
}

/** True if a response has a body whose content coding is not undone. */
export function isEncoded(response: CallResponse): boolean {
  return response.bytes > 0 && response.headers['content-encoding'] !== undefined;
}

function codingsOf({ headers }: CallResponse): readonly string[] {
  return String(headers['content-encoding'])
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !['identity', 'none', ''].includes(coding));
}

/** Decodes a body without its end, too: that of a stopped response. */
function decoderOf(coding: string, body: Buffer): Transform | undefined {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const deflate = { finishFlush: Z_SYNC_FLUSH };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(deflate);
    case 'deflate':
      // Some programs leave out the header of zlib, whose first byte ends with 8 (RFC 1950).
      return ((body[0] ?? 0) & 0x0f) === 8
        ? zlib.createInflate(deflate)
        : zlib.createInflateRaw(deflate);
    case 'br':
      return zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return zstdDecoder();
    default:
      return undefined;
  }
}

/** Undefined in versions of Node.js before 22.15. */
function zstdDecoder(): Transform | undefined {
  const { createZstdDecompress, constants } = zlib as typeof zlib & {
    createZstdDecompress?: (options: object) => Transform;
    constants: { readonly ZSTD_e_flush?: number };
  };
  return createZstdDecompress?.({ finishFlush: constants.ZSTD_e_flush });
}

async function collected(
  decoder: Transform,
  body: Buffer,
  limit: number,
): Promise<{ readonly body: Buffer; readonly isLonger: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  decoder.end(body);
  // Leaving the loop destroys the decoder.
  for await (const chunk of decoder as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limit) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), isLonger: bytes > limit };
}
