/** An address of the page's API made absolute: `../_mcp/messages`. */
export function absolute(relative: string): string {
  return new URL(relative, document.baseURI).href;
}
