import type { Tool } from './tool.js';

// What clients reject, and startup only warns about.

/** Most bytes of an input schema that claude.ai reads. */
const MOST_SCHEMA_BYTES = 16_384;

/**
 * A sentence for each rule that some tools break.
 * @param lists the tools in the list of each endpoint
 */
export function clientRuleWarnings(lists: readonly (readonly Tool[])[]): readonly string[] {
  const tools = [...new Set(lists.flat())];
  const similar = new Set(lists.flatMap(similarNames));
  return [dottedNames(tools), ...similar, largeSchemas(tools)].filter(
    (warning) => warning !== undefined,
  );
}

function dottedNames(tools: readonly Tool[]): string | undefined {
  const names = tools.map(({ name }) => name).filter((name) => name.includes('.'));
  if (names.length === 0) return undefined;
  return (
    `${names.length} of ${tools.length} tools have a dot in their name, for which claude.ai, Claude Desktop and ` +
    `Copilot CLI reject all tools of the server: ${names.join(', ')}. Set McpModule.forRoot({ toolNames: 'underscored' }), or name ` +
    "them: @McpTool({ name: 'tasks_list' })."
  );
}

/** Clients replace characters that they do not accept, or compare names without case. */
function similarNames(tools: readonly Tool[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { name } of tools) {
    const key = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()]
    .filter((names) => names.length > 1)
    .map(
      (names) =>
        `The tools ${names.join(' and ')} differ only in case or punctuation, so clients take them for one tool. ` +
        "Give one of them another name: @McpTool({ name: '...' }).",
    );
}

function largeSchemas(tools: readonly Tool[]): string | undefined {
  const large = tools.flatMap(({ name, inputSchema }) => {
    const bytes = Buffer.byteLength(JSON.stringify(inputSchema));
    return bytes > MOST_SCHEMA_BYTES ? `${name} (${bytes} bytes)` : [];
  });
  if (large.length === 0) return undefined;
  return (
    `claude.ai drops tools whose input schema has more than ${MOST_SCHEMA_BYTES} bytes: ${large.join(', ')}. ` +
    'Split the route, or set a shorter inputSchema in @McpTool.'
  );
}
