import { importPeer } from '@fledge/core/packages';
import { MissingPeerError } from './graphql.errors.js';

/**
 * Loads an optional package.
 * @param user feature that requires the package. The error names it
 * @param install the packages that the error tells the user to install
 * @throws MissingPeerError if the package is not installed
 */
export function loadPeer<T>(
  name: string,
  user: string,
  load: () => Promise<T>,
  install = name,
): Promise<T> {
  return importPeer(name, load, (cause) => new MissingPeerError(name, user, cause, install));
}
