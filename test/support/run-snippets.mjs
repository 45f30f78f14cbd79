// Runs compiled snippets, one after the other, and prints a line for each. Arguments: their files. A snippet that
// exports AppModule or createApp() boots; another is run by importing it. One process for all: Nest loads once.
import { McpAdapter } from '@fledge/mcp';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { WebSocket } from 'ws';

// For the code of browsers. Node.js has one from version 22 on.
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

/** The adapter of an application with McpModule. `app.get()` would end the process where there is none. */
function findMcp(app) {
  const modules = [...app.get(ModulesContainer).values()];
  const providers = modules.flatMap((module) => [...module.providers.values()]);
  return providers.find(({ token }) => token === McpAdapter)?.instance;
}
