// LangChain's MCP adapter, as its documentation has it. Argument: the endpoint.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const client = new MultiServerMCPClient({ spec: { transport: 'http', url: process.argv[2] } });
const [hello] = await client.getTools();
console.log(await hello.invoke({}));
await client.close();
