// Addresses on the page are relative, so they depend on where the panel is.
import { McpModule, McpTool } from '@fledge/mcp';
import { PanelModule, type PanelState } from '@fledge/panel';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { call, closeAll, platforms, serve } from './support/platforms.js';

@Controller('tasks')
class TasksController {
  @Get()
  @McpTool({ name: 'list_tasks', description: 'Lists all tasks' })
  list() {
    return ['a'];
  }
}

afterEach(closeAll);

describe.each(platforms)('a panel that the global prefix excludes, on $name', (platform) => {
  it('has the right addresses', async () => {
    const imports = [McpModule.forRoot({ name: 'task-api' }), PanelModule.forRoot()];
    const module = { imports, controllers: [TasksController] };
    const { url } = await serve(module, platform, (app) => {
      app.setGlobalPrefix('api', { exclude: ['_fledge', '_fledge/{*path}'] });
    });
    const page = `${url}/_fledge/`;
    const { tools } = (await call(`${page}api/state`)).body as PanelState;
    if (!tools.installed) throw new Error('mcp is missing');
    const [tool] = tools.tools;
    expect(await call(new URL(tool?.url ?? '', page).href)).toEqual({ status: 200, body: ['a'] });
    const endpoint = new URL(tools.endpoint ?? '', page);
    expect(endpoint.pathname).toBe('/_mcp/messages');
    expect((await call(`${url}/api/_fledge/`)).status).toBe(404);
  });
});
