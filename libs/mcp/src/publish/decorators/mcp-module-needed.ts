import { NeededModule } from '@fledge-internal/needed-module';

export const neededMcpModule = new NeededModule(
  'McpModule',
  'The application has @McpTool, @McpResource or @McpPrompt, but not McpModule, so it publishes nothing to agents. ' +
    "Add McpModule.forRoot({ name: 'my-api' }) to the imports of the root module.",
);
