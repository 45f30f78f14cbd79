/** Whether a module is found. Not in an application bundled into one file: there only `import()` can tell. */
export function isInstalled(resolve: () => string): boolean {
  try {
    resolve();
    return true;
  } catch {
    return false;
  }
}
