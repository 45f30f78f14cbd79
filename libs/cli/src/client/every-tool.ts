import type { Client, Tool } from '@modelcontextprotocol/client';

/**
 * Returns every tool that the caller has permission to call. With `McpModule.forRoot({ search })`,
 * the normal list is short. A field in `_meta` requests the full list. Other servers ignore this
 * field.
 */
export async function everyTool(client: Client): Promise<readonly Tool[]> {
  const params = { _meta: { 'fledge/everyTool': true } };
  // Without `bypass`, the client could cache this list, and later return it instead of the short
  // list.
  const { tools } = await client.listTools(params, { cacheMode: 'bypass' });
  return tools;
}
