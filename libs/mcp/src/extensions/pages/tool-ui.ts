import type { McpToolUi } from './page-options.js';

/** True if only pages may call the tool. Clients hide it from the model. */
export function isForPagesOnly({ visibility }: McpToolUi): boolean {
  return visibility?.includes('model') === false;
}

/** `_meta` of a listed tool. The second key is that of clients from before 2026. */
export function metaOfUi({
  resourceUri,
  visibility,
}: McpToolUi): Readonly<Record<string, unknown>> {
  return {
    ui: {
      ...(resourceUri !== undefined && { resourceUri }),
      ...(visibility !== undefined && { visibility }),
    },
    ...(resourceUri !== undefined && { 'ui/resourceUri': resourceUri }),
  };
}
