import { afterEach, beforeEach, jest } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { McpCall, McpTool, type McpOidcAuthOptions } from '../../src/index.js';
import type { Platform } from '../../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './app.js';
import { Issuer, type TokenParts } from './issuer.js';
import { INITIALIZE } from './wire.js';

/** What tokens for the application have as `aud`. */
export const AUDIENCE = 'https://api.example.com/mcp';

@Controller('who')
class WhoController {
  constructor(private readonly mcp: McpCall) {}

  @Get()
  @McpTool({ name: 'who', description: 'Tells who calls' })
  who() {
    return this.mcp.principal;
  }

  @Get('export')
  @McpTool({ name: 'export', description: 'Needs a scope', scopes: ['tasks.export'] })
  export() {
    return 'exported';
  }
}

/** An application that accepts the tokens of an issuer. Both are closed after each test. */
export function oidcApp({ adapter }: Pick<Platform, 'adapter'>) {
  let issuer: Issuer;
  let running: RunningApp | undefined;
  beforeEach(async () => {
    issuer = await Issuer.start();
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
    await issuer.close();
    jest.restoreAllMocks();
  });

  const token = (parts?: TokenParts) => issuer.token(AUDIENCE, parts);
  const post = (bearer: string | undefined, message: object = INITIALIZE) =>
    running!.wire.post(message, { authorization: bearer && `Bearer ${bearer}` });
  return {
    get issuer() {
      return issuer;
    },
    get running() {
      return running!;
    },
    async start(auth: Partial<McpOidcAuthOptions> = {}) {
      await running?.close();
      running = await startApp(adapter(), {
        ...controllers(WhoController),
        mcp: { auth: { type: 'oidc', issuer: issuer.url, audience: AUDIENCE, ...auth } },
      });
    },
    token,
    post,
    statusOf: async (parts?: TokenParts) => (await post(await token(parts))).status,
  };
}
