// Serves the recorded application on stdin and stdout. Argument: express or fastify.
import { NestFactory } from '@nestjs/core';
import { platformAdapter } from '../support/platform-adapter.mjs';
import { moduleOf } from './app.mjs';

const adapter = await platformAdapter(process.argv[2]);
const app = await NestFactory.create(moduleOf('stdio'), adapter, { logger: false });
await app.listen(0);
