import { MissingPeerError } from '../graphql.errors.js';

/**
 * Loads an optional package.
 * @param user the feature that needs it, for the error
 * @param install the packages that the error says to install
 * @throws MissingPeerError if it is not installed
 */
export async function loadPeer<T>(
  name: string,
  user: string,
  load: () => Promise<T>,
  install = name,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // Match the package itself. A missing dependency of that package is another error.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`)) {
      throw new MissingPeerError(name, user, error, install);
    }
    throw error;
  }
}
