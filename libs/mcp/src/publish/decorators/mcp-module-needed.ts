import { NeededModule } from '@fledge-internal/nest-modules';

export const neededMcpModule = new NeededModule(
  'McpModule',
  'The application uses @McpTool, @McpResource, @McpPrompt or @McpCallInfo, but does not import ' +
    "McpModule, so the decorators have no effect. Add McpModule.forRoot({ name: 'my-api' }) to the " +
    'imports of the root module.',
);
