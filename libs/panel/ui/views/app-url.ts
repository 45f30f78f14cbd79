/** Makes a relative address of the panel's API absolute: `../_mcp/messages`. */
export function absolute(relative: string): string {
  return new URL(relative, document.baseURI).href;
}
