import type { ServerResponse } from 'node:http';

/** A body in parts: what is stored as bytes goes out as it is, neither encoded again nor copied. */
export type BodyParts = readonly (string | Buffer)[];

export function byteLengthOf(parts: BodyParts): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/** Ends a response, in one write where its body is one part. */
export function endWith(response: ServerResponse, parts: BodyParts): void {
  if (parts.length === 1) {
    response.end(parts[0]);
    return;
  }
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
}
