import { createRequire } from 'node:module';
import { QueryError } from '../query.errors.js';

/** A subpath was imported without the ORM it is for. */
export class MissingPeerError extends QueryError {
  readonly code = 'QUERY_MISSING_PEER';

  constructor(peer: string, subpath: string) {
    super(`${subpath} needs ${peer}, which is not installed. Run: npm install ${peer}`);
  }
}

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
