import { createRequire } from 'node:module';
import { MissingPeerError } from '../query.errors.js';

/**
 * Loads an ORM. ORMs are optional peer dependencies. If the ORM is missing, the error contains the
 * package to install. The error of a static `import` would contain a file of this package instead.
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
    // If an installed peer lacks one of its own dependencies, the original error is more helpful.
    if (code !== 'MODULE_NOT_FOUND' || !message.includes(`'${peer}'`)) throw error;
    throw new MissingPeerError(peer, subpath);
  }
}
