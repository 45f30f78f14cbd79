// A client that shows pages, made of the extension's own library. It runs in the browser; `pages.spec.ts` starts it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  getToolUiResourceUri,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge';

export interface Shown {
  readonly endpoint: string;
  readonly headers: Record<string, string>;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly theme: 'light' | 'dark';
  readonly era: '2025-11-25' | '2026-07-28';
}

/** The policy for a page that declares no origins (MCP Apps, 2026-01-26, restrictive default). */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; media-src data:; " +
  "connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'";

const HOST = { name: 'host', version: '1.0.0' };

/** Calls a tool, and shows its page with the result. */
async function show({ endpoint, headers, tool, args, theme, era }: Shown): Promise<void> {
  const client = new Client(HOST, {
    capabilities: {
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } },
    },
    ...(era === '2026-07-28' && { versionNegotiation: { mode: { pin: era } } }),
  });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
    requestInit: { headers },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const uri = getToolUiResourceUri(tools.find(({ name }) => name === tool) ?? {});
  if (uri === undefined) throw new Error(`${tool} has no page`);
  const [content] = (await client.readResource({ uri })).contents;
  if (content?.mimeType !== RESOURCE_MIME_TYPE || !('text' in content)) {
    throw new Error(`${uri} is no page: ${content?.mimeType}`);
  }

  const frame = document.createElement('iframe');
  frame.id = 'page';
  frame.title = tool;
  frame.style.width = '100%';
  frame.setAttribute('sandbox', 'allow-scripts');
  document.body.replaceChildren(frame);
  const target = frame.contentWindow;
  if (target === null) throw new Error('no window');
  const bridge = new AppBridge(client, HOST, { serverTools: {} }, { hostContext: { theme } });
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height + 40}px`;
  };
  const ready = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  await bridge.connect(new PostMessageTransport(target, target));
  frame.srcdoc = withPolicy(content.text);
  await ready;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(await client.callTool({ name: tool, arguments: args }));
}

function withPolicy(html: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  return html.replace('<head>', `<head>${policy}`);
}

Object.assign(globalThis, { show });
