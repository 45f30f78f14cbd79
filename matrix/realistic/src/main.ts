import { ValidationPipe, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import cookieParser from 'cookie-parser';
import session from 'express-session';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { SharedConnection } from './database/shared-connection.js';
import { SharedSessionStore } from './database/shared-session.store.js';
import { TasksService } from './tasks/tasks.service.js';

async function bootstrap() {
  const app = await NestFactory.create<NestExpressApplication>(AppModule);
  const store = new SharedSessionStore(app.get(SharedConnection));
  app.use(helmet(), compression(), cookieParser());
  app.use(session({ store, secret: 'made-up', resave: false, saveUninitialized: true }));
  app.setGlobalPrefix('api');
  app.enableVersioning({ type: VersioningType.URI });
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  // Ends by itself: what a package leaves open keeps the process alive.
  process.once('SIGTERM', () => {
    app.get(TasksService, { strict: false }).end(); // Apollo waits 10 seconds for responses that are open
    void app.close();
  });
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
  console.log(`listening on ${await app.getUrl()}`);
}
void bootstrap();
