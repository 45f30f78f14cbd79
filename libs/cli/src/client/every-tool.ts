import type { Client, Tool } from '@modelcontextprotocol/client';

/**
 * Every tool of a server that may be called. With `McpModule.forRoot({ search })` the list for clients is
 * short, and this member asks for the whole one. Other servers ignore it.
 */
export async function everyTool(client: Client): Promise<readonly Tool[]> {
  const params = { _meta: { 'fledge/everyTool': true } };
  // A client that may keep lists would keep this one for the short one.
  const { tools } = await client.listTools(params, { cacheMode: 'bypass' });
  return tools;
}
