import type { NestExpressApplication } from '@nestjs/platform-express';
import cookieParser from 'cookie-parser';
import { doubleCsrf } from 'csrf-csrf';

export const { doubleCsrfProtection, generateCsrfToken } = doubleCsrf({
  getSecret: () => process.env['CSRF_SECRET'] as string,
  getSessionIdentifier: ({ cookies }) => String(cookies['session']),
  skipCsrfProtection: ({ path, headers }) =>
    path === '/_mcp/messages' || headers.cookie === undefined,
});

export function checkForms(app: NestExpressApplication) {
  app.use(cookieParser(), doubleCsrfProtection);
}
