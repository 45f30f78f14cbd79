import type { PanelTool } from '@fledge/core/packages';
import type { MeasuredTool } from '../panel.api.js';
import { parametersOf } from './parameters.js';

/** Average number of JSON characters per token, for English text. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Returns a tool with two more facts: its size in `tools/list`, and the names of its parameters
 * without a description.
 */
export function measuredTool(tool: PanelTool): Omit<MeasuredTool, 'url'> {
  const bytes = bytesOf(listed(tool));
  return {
    ...tool,
    bytes,
    tokens: tokensOf(bytes),
    undescribed: parametersOf(tool.inputSchema)
      .filter(({ described }) => !described)
      .map(({ name }) => name),
  };
}

export function tokensOf(bytes: number): number {
  return Math.round(bytes / CHARACTERS_PER_TOKEN);
}

/** Returns the size of a value as JSON, in bytes. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** Returns the tool as clients receive it. */
function listed({ name, title, description, inputSchema, outputSchema, annotations }: PanelTool) {
  return { name, title, description, inputSchema, outputSchema, annotations };
}
