import type { McpToolUi } from '../mcp-tool.options.js';
import { PageError } from '../mcp.errors.js';

/** How clients with pages show a tool (MCP Apps, `McpUiToolMeta`). */
export interface ToolUi {
  readonly resourceUri: string | undefined;
  /** Who may call the tool. Undefined: the model and pages. */
  readonly visibility: readonly ('model' | 'app')[] | undefined;
}

/** @throws PageError for an empty object */
export function toolUiOf(given: string | McpToolUi | undefined, place: string): ToolUi | undefined {
  if (given === undefined) return undefined;
  const { resourceUri, visibility } =
    typeof given === 'string' ? { resourceUri: given, visibility: undefined } : given;
  if (resourceUri === undefined && visibility === undefined) {
    throw new PageError(place, "ui is empty. Name a page, as in ui: 'ui://board'");
  }
  return { resourceUri, visibility };
}

/** True if only pages may call the tool. Clients hide it from the model. */
export function isForPagesOnly({ ui }: { readonly ui: ToolUi | undefined }): boolean {
  return ui?.visibility?.includes('model') === false;
}

/** `_meta` of a listed tool. The second key is that of clients from before 2026. */
export function metaOfUi({ resourceUri, visibility }: ToolUi): Readonly<Record<string, unknown>> {
  return {
    ui: {
      ...(resourceUri !== undefined && { resourceUri }),
      ...(visibility !== undefined && { visibility }),
    },
    ...(resourceUri !== undefined && { 'ui/resourceUri': resourceUri }),
  };
}

/** What is published, as far as pages are concerned. */
interface WithPages {
  readonly tools: readonly {
    readonly ui: ToolUi | undefined;
    readonly route: { readonly label: string };
  }[];
  readonly resources: readonly { readonly uri: string; readonly page: object | undefined }[];
}

/** @throws PageError if a tool names a page that no resource serves */
export function assertPages({ tools, resources }: WithPages): void {
  const pages = resources.filter(({ page }) => page !== undefined).map(({ uri }) => uri);
  for (const { ui, route } of tools) {
    const uri = ui?.resourceUri;
    if (uri === undefined || pages.includes(uri)) continue;
    throw new PageError(
      route.label,
      `no resource serves the page "${uri}" of @McpTool({ ui }). Add @McpResource({ uri: '${uri}' }) to a GET ` +
        `route that returns HTML, or McpModule.forRoot({ pages: [{ uri: '${uri}', file }] }). There are: ` +
        `${pages.join(', ') || 'no pages'}`,
    );
  }
}
