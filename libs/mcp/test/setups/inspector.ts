import type { INestApplication } from '@nestjs/common';

export function admitInspector(app: INestApplication) {
  app.enableCors({
    origin: 'http://localhost:6274',
    methods: ['GET', 'POST', 'DELETE'],
    exposedHeaders: ['mcp-session-id', 'www-authenticate'],
  });
}
