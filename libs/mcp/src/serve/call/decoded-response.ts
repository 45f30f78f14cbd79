import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { CallResponse } from './recording.js';

/**
 * Decompresses the body of a response, as an HTTP client does. Keeps at most `limit` bytes, because
 * a small body can expand to a huge one. Returns the response unchanged if the encoding is unknown,
 * or if the data is damaged.
 */
export async function decodedResponse(
  response: CallResponse,
  limit: number,
): Promise<CallResponse> {
  if (response.bytes === 0) return response;
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

function codingsOf({ headers }: CallResponse): readonly string[] {
  return String(headers['content-encoding'])
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !['identity', 'none', ''].includes(coding));
}

/** Accepts an incomplete body too, because the response may have been stopped at the limit. */
function decoderOf(coding: string, body: Buffer): Transform | undefined {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const deflate = { finishFlush: Z_SYNC_FLUSH };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(deflate);
    case 'deflate':
      // Some programs omit the zlib header. With the header, the lower four bits of the first byte
      // are 8 (RFC 1950).
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

/** Returns undefined if Node.js is older than 22.15. Such versions have no zstd. */
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
  // No `destroy()` is needed: leaving the loop destroys the decoder.
  for await (const chunk of decoder as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limit) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), isLonger: bytes > limit };
}
