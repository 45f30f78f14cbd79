import { nestAddOf } from './nest-add.js';

export const nestAdd = nestAddOf(
  {
    module: {
      name: 'McpModule',
      call: ({ name }) =>
        // A quote in the name would end the string literal.
        `McpModule.forRoot({ name: '${name.replace(/['"\\]/g, '')}', sessions: { max: 10 }, toolNames: 'underscored' })`,
    },
    next: () => `Next, turn a route into a tool: add this decorator to a controller method, next to @Get() or @Post().

  import { McpTool } from '@fledge/mcp';

  @McpTool({ name: 'find_task', description: 'What this route does, for an agent' })

Start the application and list its tools:

  npx @fledge/cli mcp list --http http://localhost:3000/_mcp/messages`,
  },
  new URL('../../package.json', import.meta.url),
);
