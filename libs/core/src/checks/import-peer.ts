/**
 * Imports an optional package.
 * @param missing makes the error for a package that is not installed
 * @throws the error of `missing`; other errors of the import as they are
 */
export async function importPeer<T>(
  name: string,
  load: () => Promise<T>,
  missing: (cause: unknown) => Error,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // Match the package itself: an installed package may lack a dependency of its own, and that error is more precise.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`)) throw missing(error);
    throw error;
  }
}
