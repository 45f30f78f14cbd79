/** Injects the options with every default applied. */
export const MCP_OPTIONS = Symbol('MCP_OPTIONS');
