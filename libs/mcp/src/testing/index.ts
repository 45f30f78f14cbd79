export {
  createMcpTestClient,
  type DirectRequest,
  type McpTestClient,
  type McpTestClientOptions,
} from './mcp-test-client.js';
