import { oneOf, type OptionTable } from '@fledge-internal/options';
import { nameWords, shortLabel } from '../../publish/catalogue/name-words.js';
import { derivedToolName } from '../../publish/catalogue/tool-name.js';
import { getMcpToolMeta } from '../../publish/decorators/mcp-tool.decorator.js';
import type { McpExtension } from '../../serve/methods/extension.js';
import type { McpToolNames, ToolNamesOption } from './tool-names-options.js';

const TOOL_NAMES_OPTION = {
  toolNames: oneOf('dotted', 'underscored').default('dotted'),
} satisfies OptionTable<ToolNamesOption>;

/** Sets the format of default tool names. */
export const toolNames: McpExtension<McpToolNames, McpToolNames> = {
  name: 'toolNames',
  option: TOOL_NAMES_OPTION.toolNames,

  nameTool(names, { name, route, source }) {
    if (source || getMcpToolMeta(route.handler)?.name !== undefined) return name;
    const derived = derivedToolName(route);
    return names === 'dotted' ? derived : underscored(derived);
  },

  create: () => Promise.resolve(undefined),
};

/** Converts a default name to underscores: `TasksController.findAll` becomes `tasks_find_all`. */
function underscored(name: string): string {
  return nameWords(shortLabel(name)).join('_').toLowerCase();
}
