/**
 * Returns the text that `main.ts` prints once the server listens.
 *
 * @param url origin of the server, such as `http://localhost:3000`
 * @param token a valid API token
 */
export function startBanner(url: string, token: string): string {
  const mcpUrl = `${url}/_mcp/messages`;
  const clientConfiguration = {
    mcpServers: {
      'task-api': { type: 'http', url: mcpUrl, headers: { Authorization: `Bearer ${token}` } },
    },
  };
  return `
  Panel    ${url}/_fledge/
  REST     ${url}/tasks
  GraphQL  ${url}/graphql
  MCP      ${mcpUrl}

  Try it:
  curl -H 'Authorization: Bearer ${token}' ${url}/tasks

  In your project, write the configuration of your MCP client, without the token:
  npx @fledge/cli mcp init --name task-api --http ${mcpUrl} --bearer
  export FLEDGE_MCP_TOKEN=${token}

  In a project that has the MCP Inspector:
  npx @fledge/cli mcp inspect --http ${mcpUrl}

  Configuration for an MCP client:
${JSON.stringify(clientConfiguration, null, 2)}

`;
}
