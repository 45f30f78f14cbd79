// Of the built packages, in a process of its own: the warning comes from a timer that is silent in tests.
import { fileURLToPath } from 'node:url';
import { it } from '@jest/globals';
import { start } from '../../../../test/support/processes.js';

const program = fileURLToPath(new URL('../forgotten-module/app.mjs', import.meta.url));

it('decorators without TenantModule are reported once the application listens', async () => {
  const app = start(process.execPath, [program], { NODE_ENV: 'development', NO_COLOR: '1' });
  try {
    await app.until(
      /\[TenantModule\] The application uses decorators of @fledge\/tenant, .* Add TenantModule\.forRoot/,
    );
  } finally {
    await app.stop();
  }
});
