// An application with long calls. Argument: express or fastify.
import 'reflect-metadata';
import { Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpCall, McpCallInfo, McpModule, McpTool } from '@fledge/mcp';
import { platformAdapter } from '../support/platform-adapter.mjs';

class JobsController {
  /** Works until its request closes. */
  async work(call) {
    call.progress(1, 2, 'Half done');
    await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
    console.error('the request of work was closed');
  }

  async ask(call) {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const answer = await call.elicit({ message: 'Who?', schema, key: 'name' });
    return { name: answer.content?.name ?? answer.action };
  }

  quick() {
    return { quick: true };
  }
}

const { prototype } = JobsController;
for (const name of ['work', 'ask', 'quick']) {
  const route = Object.getOwnPropertyDescriptor(prototype, name);
  Reflect.defineMetadata('design:paramtypes', [McpCall], prototype, name);
  McpCallInfo()(prototype, name, 0);
  Post(name)(prototype, name, route);
  const scopes = name === 'quick' ? ['jobs'] : [];
  McpTool({ name, description: name, task: true, scopes })(prototype, name, route);
}
Controller()(JobsController);

// `closed` as the second argument: the application is closed without listening.
const isClosed = process.argv[3] === 'closed';
const store = {
  connect: () =>
    Promise.resolve({
      add: async () => true,
      close: async () => console.error('the store was closed'),
    }),
};

class AppModule {}
Module({
  imports: [
    McpModule.forRoot({ name: 'jobs', transport: 'stdio', ...(isClosed && { tasks: { store } }) }),
  ],
  controllers: [JobsController],
})(AppModule);

const app = await NestFactory.create(AppModule, await platformAdapter(process.argv[2]), {
  logger: false,
});
if (isClosed) {
  await app.init();
  await app.close();
} else {
  await app.listen(0);
}
