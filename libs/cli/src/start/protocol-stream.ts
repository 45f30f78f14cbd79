import { createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { WriteStream, isatty } from 'node:tty';

/**
 * Opens a stream on an inherited descriptor. The stream has the class that Node.js would use for
 * stdout.
 */
export function protocolStream(fd: number): Writable {
  if (isatty(fd)) return new WriteStream(fd);
  // The option `bigint` avoids a bug in Node.js 20. After a plain fstat of a pipe, realpath returns
  // wrong results, and imports of linked packages fail.
  const stats = fstatSync(fd, { bigint: true });
  if (stats.isFIFO() || stats.isSocket()) {
    return new Socket({ fd, readable: false, writable: true });
  }
  return createWriteStream('', { fd });
}
