// A Nest application with one route: called directly, as a tool, and as a tool that fetches it.
// Arguments: platform (Express | Fastify), then `bare`, `guarded` (behind CORS and helmet), either also with `-direct` (the
// endpoint ahead of the platform), `panel`, or a word of `observing.ts` or `serving.ts`. With `oidc`, then the URL of an issuer.
import 'reflect-metadata';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Module, ValidationPipe } from '@nestjs/common';
import { APP_PIPE, NestFactory } from '@nestjs/core';
import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { McpModule } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';
import { observing } from './observing.js';
import { listen, platformAdapter } from './platform.js';
import { report } from './report.js';
import { sdkSessions } from './sdk-sessions.js';
import { serving } from './serving.js';
import { TasksController } from './task-routes.js';

const [platform, given = 'bare', issuer = ''] = process.argv.slice(2);
const direct = given.endsWith('-direct');
const dress = given.replace(/-direct$/, '');

@Module({
  imports: [
    McpModule.forRoot({
      name: 'bench',
      sessions: { max: 10_000 },
      direct,
      ...observing(dress),
      ...serving(dress, issuer),
    }),
    ...(dress === 'panel' ? [PanelModule.forRoot()] : []),
  ],
  controllers: [TasksController],
  providers: [
    { provide: APP_PIPE, useValue: new ValidationPipe({ whitelist: true, transform: true }) },
  ],
})
class AppModule {}

let port = 0;

const loopback = sdkSessions(async (args, authorization) => {
  const answer = await fetch(`http://127.0.0.1:${port}/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(args),
  });
  return {
    content: [{ type: 'text', text: await answer.text() }],
    isError: !answer.ok,
  };
});

const adapter = platformAdapter(platform);
const app = await NestFactory.create(AppModule, adapter, { logger: ['error', 'warn'] });
if (dress === 'guarded') {
  app.enableCors();
  if (platform === 'Fastify') {
    await (adapter.getInstance() as FastifyInstance).register(fastifyHelmet);
  } else {
    app.use(helmet());
  }
}
mountLoopback();
port = await listen(app);
report(port);

function mountLoopback(): void {
  if (platform === 'Fastify') {
    void (adapter.getInstance() as FastifyInstance).register((scope, _options, loaded) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      scope.post('/loopback', (request, reply) => {
        reply.hijack();
        loopback(request.raw, reply.raw);
      });
      loaded();
    });
  } else {
    app.use('/loopback', (request: IncomingMessage, response: ServerResponse) =>
      loopback(request, response),
    );
  }
}
