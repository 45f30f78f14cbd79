import type { PanelTool } from '@fledge/core/packages';
import type { MeasuredTool } from '../panel.api.js';
import { parametersOf } from './parameters.js';

/** Characters of JSON that make one token, on average, in English text. */
const CHARACTERS_PER_TOKEN = 4;

/** A tool with its size in `tools/list` and the parameters without a description. */
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

/** Bytes of a value as JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** The tool as clients get it. */
function listed({ name, title, description, inputSchema, outputSchema, annotations }: PanelTool) {
  return { name, title, description, inputSchema, outputSchema, annotations };
}
