// One of several processes of an application. Arguments: express or fastify, the secret of its
// rounds. Prints its port when it listens.
import 'reflect-metadata';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { McpCall, McpCallInfo, McpModule, McpTool } from '@fledge/mcp';
import { serveProcess } from '../support/serve-process.mjs';

class PidController {
  pid() {
    return { pid: process.pid };
  }

  async confirm(call) {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const first = await call.elicit({ message: 'Sure?', schema });
    const second = await call.elicit({ message: 'Really?', schema });
    return { pid: process.pid, answers: [first.content?.ok, second.content?.ok] };
  }

  async sample(call) {
    const content = { type: 'text', text: 'Which word?' };
    const first = await call.sample({ messages: [{ role: 'user', content }], maxTokens: 9 });
    const messages = [{ role: 'user', content: first.content }];
    const second = await call.sample({ messages, maxTokens: 9 });
    return { pid: process.pid, answers: [first.content.text, second.content.text] };
  }
}

const { prototype } = PidController;
const pid = Object.getOwnPropertyDescriptor(prototype, 'pid');
Get('pid')(prototype, 'pid', pid);
McpTool({ name: 'pid', description: 'Says which process answers' })(prototype, 'pid', pid);
const confirm = Object.getOwnPropertyDescriptor(prototype, 'confirm');
McpCallInfo()(prototype, 'confirm', 0);
Reflect.defineMetadata('design:paramtypes', [McpCall], prototype, 'confirm');
Post('confirm')(prototype, 'confirm', confirm);
McpTool({ name: 'confirm', description: 'Asks twice' })(prototype, 'confirm', confirm);
const sample = Object.getOwnPropertyDescriptor(prototype, 'sample');
McpCallInfo()(prototype, 'sample', 0);
Reflect.defineMetadata('design:paramtypes', [McpCall], prototype, 'sample');
Post('sample')(prototype, 'sample', sample);
McpTool({ name: 'sample', description: 'Asks the model of the client twice' })(
  prototype,
  'sample',
  sample,
);
Controller()(PidController);

const [, , platform, stateSecret] = process.argv;

class AppModule {}
Module({
  imports: [McpModule.forRoot({ name: 'scaled', sessions: { max: 10 }, stateSecret })],
  controllers: [PidController],
})(AppModule);

await serveProcess(AppModule, platform);
