/**
 * The second code is the code of `require()`, to which Jest and bundlers of CommonJS compile
 * `import()`.
 */
const NOT_FOUND = new Set<string | undefined>(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/**
 * Imports an optional package.
 * @param missing creates the error for a package that is not installed
 * @throws the error of `missing`, or any other error of the import
 */
export async function importPeer<T>(
  name: string,
  load: () => Promise<T>,
  missing: (cause: unknown) => Error,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // Matches only the package itself. If the package is installed but one of its dependencies is
    // missing, the original error is more precise.
    const { code, message } = error as NodeJS.ErrnoException;
    if (NOT_FOUND.has(code) && message.includes(`'${name}'`)) throw missing(error);
    throw error;
  }
}
