import type { INestApplication } from '@nestjs/common';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { McpTool } from '@fledge/mcp';
import { CentralRoute } from '@fledge/tenant';
import fastifyHelmet from '@fastify/helmet';
import helmet from 'helmet';
import { AppModule } from '../../../apps/tasks/src/app.module.js';
import { Public } from '../../../apps/tasks/src/users/public.decorator.js';
import { type Platform, serve } from '../../support/platforms.js';

/** Markup that shows a dialog where it is not escaped. */
export const MARKUP =
  '</script><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>';

@Public()
@CentralRoute()
@Controller('hostile')
class HostileController {
  @Post()
  @McpTool({
    name: 'hostile',
    title: MARKUP,
    description: `${MARKUP} \`${MARKUP}\` [link](javascript:alert(4))`,
    inputSchema: {
      type: 'object',
      properties: {
        [MARKUP]: { type: 'string', description: MARKUP },
        choice: { enum: [MARKUP, 'javascript:alert(5)'] },
      },
      additionalProperties: true,
    },
  })
  answer(@Body() body: object) {
    return { [MARKUP]: MARKUP, body };
  }
}

/** The demo, which serves the panel, with a hostile tool, behind helmet, on a database in memory. */
@Module({ imports: [AppModule], controllers: [HostileController] })
class ServedModule {}

export async function servePanel(
  platform: Platform,
): Promise<{ readonly app: INestApplication; readonly url: string }> {
  process.env['TASKS_DATA'] = 'memory://';
  const { app, url } = await serve(
    ServedModule,
    platform,
    (created) => void useHelmet(created, platform),
    { forceCloseConnections: true },
  );
  return { app, url: url.replace('127.0.0.1', 'localhost') };
}

function useHelmet(app: INestApplication, { name }: Platform): unknown {
  return name === 'Express'
    ? app.use(helmet())
    : app.getHttpAdapter().getInstance().register(fastifyHelmet);
}
