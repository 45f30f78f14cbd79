// Runs compiled snippets one after another and prints a line for each. Arguments: their files. A
// snippet that exports AppModule or createApp() is started as an application. Other snippets are
// only imported. All run in one process, so Nest is loaded once.
import { McpAdapter } from '@fledge/mcp';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { WebSocket } from 'ws';

// For snippets of browser code. Node.js has its own WebSocket since version 22.
globalThis.WebSocket ??= WebSocket;

for (const file of process.argv.slice(2)) {
  try {
    const { AppModule, createApp } = await import(file);
    if (AppModule || createApp) {
      const quiet = { logger: false, abortOnError: false };
      const app = await (createApp ? createApp() : NestFactory.create(AppModule, quiet));
      await app.init();
      const mcp = findMcp(app);
      if (mcp) console.log(`tools ${JSON.stringify(mcp.getTools())}`);
      await app.close();
    }
    console.log(`ran ${file}`);
  } catch (error) {
    console.log(`failed ${file}: ${error.stack}`);
  }
}
process.exit();

/**
 * Returns the adapter of an application with McpModule. Does not use `app.get()`, which would end
 * the process if there is no adapter.
 */
function findMcp(app) {
  const modules = [...app.get(ModulesContainer).values()];
  const providers = modules.flatMap((module) => [...module.providers.values()]);
  return providers.find(({ token }) => token === McpAdapter)?.instance;
}
