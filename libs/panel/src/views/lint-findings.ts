import type { PanelFinding } from '@fledge/core/packages';
import type { LintFinding, MeasuredTool } from '../panel.api.js';
import { tokensOf } from './measured-tool.js';

/** The number of listed tools if all tools together cost too many tokens. */
const WIDEST = 5;

/**
 * Returns two kinds of findings: tools that cost too many tokens, and broken rules of MCP clients
 * and public server lists.
 */
export function findingsOf(
  tools: readonly MeasuredTool[],
  broken: readonly PanelFinding[],
  tokenLimit: number,
): LintFinding[] {
  return [...sizeOver(tools, tokenLimit), ...broken.map(ruleFinding)];
}

function ruleFinding({
  rule,
  severity,
  clients,
  text,
  fix,
  source,
  date,
  places,
}: PanelFinding): LintFinding {
  return {
    kind: rule,
    severity,
    title: text,
    text: `This rule applies to ${clients.join(', ')}. Source: ${source}, ${date}.`,
    places,
    cure: fix,
  };
}

function sizeOver(tools: readonly MeasuredTool[], tokenLimit: number): LintFinding[] {
  const tokens = tokensOf(tools.reduce((sum, { bytes }) => sum + bytes, 0));
  if (tokens <= tokenLimit) return [];
  const widest = tools.toSorted((a, b) => b.bytes - a.bytes).slice(0, WIDEST);
  return [
    {
      kind: 'size',
      severity: 'warning',
      title: `The tools cost about ${tokens} tokens`,
      text: `Many clients send each tool to the model with every conversation. Claude Code warns above ${tokenLimit} tokens.`,
      places: widest.map(({ name }) => ({ tool: name })),
      cure: 'Split the server, or hide tools that agents do not need: `exclude`, @McpTool({ description, hidden: true }), `visible`.',
      example: 'McpModule.forRoot({ exclude: ["/admin/*"] })',
    },
  ];
}
