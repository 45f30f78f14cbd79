import { NeededModule } from '@fledge-internal/needed-module';

export const neededMcpModule = new NeededModule(
  'McpModule',
  'The application uses @McpTool, @McpResource or @McpPrompt, but does not import McpModule, so ' +
    "agents cannot use it. Add McpModule.forRoot({ name: 'my-api' }) to the imports of the root " +
    'module.',
);
