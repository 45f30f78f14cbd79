import { createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { WriteStream, isatty } from 'node:tty';

/** A stream on a descriptor that was inherited, of the kind Node.js would make for stdout. */
export function protocolStream(fd: number): Writable {
  if (isatty(fd)) return new WriteStream(fd);
  // In bigint, for the sake of Node.js 20: its realpath, and with it the import of linked packages, goes
  // astray while the plain kind of the last stat is that of a pipe.
  const stats = fstatSync(fd, { bigint: true });
  if (stats.isFIFO() || stats.isSocket()) {
    return new Socket({ fd, readable: false, writable: true });
  }
  return createWriteStream('', { fd });
}
