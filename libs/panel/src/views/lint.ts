import type { PanelFinding } from '@fledge/core/packages';
import type { LintView, MeasuredTool, ToolCost } from '../panel.api.js';
import { findingsOf } from './lint-findings.js';
import { bytesOf, tokensOf } from './measured-tool.js';
import { parametersOf } from './parameters.js';

/** If all MCP tools together have more tokens than this number, Claude Code warns. */
const TOKEN_LIMIT = 25_000;

/** Returns the number of tokens that the tools cost an agent, and the findings about the tools. */
export function lintOf(tools: readonly MeasuredTool[], broken: readonly PanelFinding[]): LintView {
  const bytes = tools.reduce((sum, tool) => sum + tool.bytes, 0);
  return {
    bytes,
    tokens: tokensOf(bytes),
    tokenLimit: TOKEN_LIMIT,
    parameters: tools.reduce((sum, { inputSchema }) => sum + parametersOf(inputSchema).length, 0),
    undescribed: tools.reduce((sum, { undescribed }) => sum + undescribed.length, 0),
    tools: tools.map(costOf).sort((a, b) => b.bytes - a.bytes),
    findings: findingsOf(tools, broken, TOKEN_LIMIT),
  };
}

function costOf({ name, bytes, tokens, description, inputSchema }: MeasuredTool): ToolCost {
  const schemaBytes = bytesOf(inputSchema);
  const descriptionBytes = bytesOf(description);
  return {
    name,
    bytes,
    tokens,
    schemaBytes,
    descriptionBytes,
    otherBytes: bytes - schemaBytes - descriptionBytes,
    parameters: parametersOf(inputSchema)
      .map(({ name: parameter, schema }) => ({ name: parameter, bytes: bytesOf(schema) }))
      .sort((a, b) => b.bytes - a.bytes),
  };
}
