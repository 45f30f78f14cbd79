import type { Tool } from '../../catalogue/tool.js';
import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import { parametersText } from './parameter-text.js';

/** A tool in Markdown, with everything that a model needs to call it. About half the size of its JSON. */
export function toolText({ name, description, annotations, inputSchema }: Tool): string {
  return [
    `### ${name}`,
    description.trim(),
    ...hintsOf(annotations),
    parametersText(inputSchema),
  ].join('\n');
}

function hintsOf(hints: McpToolAnnotations): string[] {
  const said = [
    ...(hints.readOnlyHint ? ['Read-only'] : []),
    ...(hints.destructiveHint ? ['Destructive'] : []),
    ...(hints.idempotentHint && !hints.readOnlyHint ? ['Idempotent'] : []),
    ...(hints.openWorldHint ? ['Uses other systems'] : []),
  ];
  return said.length === 0 ? [] : [`${said.join('. ')}.`];
}
