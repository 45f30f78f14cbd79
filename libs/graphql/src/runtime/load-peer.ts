import { MissingPeerError } from '../graphql.errors.js';

/**
 * Loads a package that is only needed by who uses it.
 * @param user what needs it, for the error
 * @throws MissingPeerError naming the command that installs it
 */
export async function loadPeer<T>(name: string, user: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // Only the package itself: what one of its own dependencies lacks is another story.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`)) {
      throw new MissingPeerError(name, user, error);
    }
    throw error;
  }
}
