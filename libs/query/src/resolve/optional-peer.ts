import { createRequire } from 'node:module';
import { MissingPeerError } from '../query.errors.js';

/**
 * Loads an ORM, an optional peer dependency. The error names the package to install. The error of a
 * static `import` would name a file of this package.
 * @throws MissingPeerError
 */
export function optionalPeer(
  peer: string,
  subpath: string,
  load: (name: string) => unknown = createRequire(import.meta.url),
): unknown {
  try {
    return load(peer);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // An installed peer may lack one of its own dependencies. The original error is then more
    // precise.
    if (code !== 'MODULE_NOT_FOUND' || !message.includes(`'${peer}'`)) throw error;
    throw new MissingPeerError(peer, subpath);
  }
}
