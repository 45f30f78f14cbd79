import rateLimit from '@fastify/rate-limit';
import { HttpException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export async function limitRates(app: NestFastifyApplication) {
  await app.register(rateLimit, {
    timeWindow: 60_000,
    max: 100,
    allowList: ({ url }: { url: string }) => url.split('?')[0] === '/_mcp/messages',
    // Nest answers an error of another kind with 500.
    errorResponseBuilder: (_request, { statusCode }) =>
      new HttpException('Too Many Requests', statusCode),
  });
}
