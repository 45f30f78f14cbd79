import { createRequire } from 'node:module';
import { MissingPeerError } from '../query.errors.js';

/**
 * An ORM, which is an optional peer. Loaded without `import`, whose failure would name a file of ours.
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
    // A peer that is there may itself miss something, and then its own error is the better one.
    if (code !== 'MODULE_NOT_FOUND' || !message.includes(`'${peer}'`)) throw error;
    throw new MissingPeerError(peer, subpath);
  }
}
