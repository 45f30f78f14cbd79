import type { NestExpressApplication } from '@nestjs/platform-express';
import { rateLimit } from 'express-rate-limit';

export function limitRates(app: NestExpressApplication) {
  const skip = ({ path }: { path: string }) => path === '/_mcp/messages';
  app.use(rateLimit({ windowMs: 60_000, limit: 100, skip }));
}
