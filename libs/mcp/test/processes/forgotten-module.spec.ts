// Of the built packages, in a process of its own: the warning comes from a timer that is silent in tests.
import { fileURLToPath } from 'node:url';
import { it } from '@jest/globals';
import { start } from '../../../../test/support/processes.js';

const program = fileURLToPath(new URL('../forgotten-module/app.mjs', import.meta.url));

it('decorators without their module are named once the application listens', async () => {
  const app = start(process.execPath, [program], { NODE_ENV: 'development', NO_COLOR: '1' });
  try {
    await app.until(
      /\[McpModule\] The application uses @McpTool, .* Add McpModule\.forRoot\(\{ name: 'my-api' \}\)/,
    );
    await app.until(
      /\[ContextModule\] The application uses context decorators, .* Add ContextModule to the imports/,
    );
  } finally {
    await app.stop();
  }
});
