import type { Client, Tool } from '@modelcontextprotocol/client';

/**
 * Every tool of a server that may be called. With `McpModule.forRoot({ search })` the list for clients is
 * short, and this member asks for the whole one. Other servers ignore it.
 */
export async function everyTool(client: Client): Promise<readonly Tool[]> {
  const { tools } = await client.listTools({ _meta: { 'fledge/everyTool': true } });
  return tools;
}
