// Controllers that several modules, paths or hosts serve.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConsoleLogger, Controller, Get, Module, Param } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { McpAdapter, McpPrompt, McpResource, McpTool } from '../src/index.js';
import { type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { platforms } from '../../../test/support/platforms.js';

class Collecting extends ConsoleLogger {
  constructor(private readonly lines: string[]) {
    super();
  }
  override log(message: unknown): void {
    this.lines.push(String(message));
  }
  override warn(message: unknown): void {
    this.lines.push(String(message));
  }
}

/** Calls the tool `paths` at a host. `fetch` cannot set the header `Host`. */
function callAt(endpoint: string, host: string): Promise<string> {
  const params = {
    name: 'paths',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const headers = {
    host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'paths',
  };
  return new Promise((resolve, reject) => {
    request(endpoint, { method: 'POST', headers }, (response) => resolve(text(response)))
      .on('error', reject)
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  });
}

let running: RunningApp;
afterEach(() => running.close());

describe.each(platforms)('on $name', ({ name, adapter }) => {
  it('publishes a controller of two modules once, at the first of its paths', async () => {
    @Controller('shared')
    class SharedController {
      @Get(':id')
      @McpTool({ name: 'shared', description: 'Served twice' })
      @McpResource({ uri: 'shared://{id}' })
      @McpPrompt({ name: 'shared', description: 'Served twice' })
      get(@Param('id') id: string) {
        return `shared ${id}`;
      }
    }
    @Module({ controllers: [SharedController] })
    class OneModule {}
    @Module({ controllers: [SharedController] })
    class OtherModule {}
    const routes = [
      { path: 'one', module: OneModule },
      { path: 'other', module: OtherModule },
    ];
    const lines: string[] = [];
    const logger = new Collecting(lines);
    for (const exclude of [[], ['/one/*']]) {
      running = await startApp(adapter(), {
        imports: [OneModule, OtherModule, RouterModule.register(routes)],
        mcp: { mode: 'auto', exclude },
        app: { logger },
      });
      const path = exclude.length === 0 ? '/one/shared/:id' : '/other/shared/:id';
      expect(running.app.get(McpAdapter).getTools()).toEqual([
        expect.objectContaining({ name: 'shared', mountPath: path }),
      ]);
      const client = await running.connect();
      expect(textOf(await client.call('shared', { id: '7' }))).toBe('shared 7');
      await client.leave();
      if (exclude.length === 0) await running.close();
    }
    const told = lines.filter((line) => line.includes('SharedController.get'));
    expect(told).toEqual([
      'SharedController.get is also served at /other/shared/:id. The tool uses /one/shared/:id.',
    ]);
  });

  it('says which path of a list it calls, and which host a controller needs', async () => {
    @Controller({ path: 'paths', host: ['a.example.com', /b/] })
    class PathsController {
      @Get(['all', 'one/:id'])
      @McpTool({ name: 'paths', description: 'Two paths' })
      get() {
        return 'paths';
      }
    }
    const lines: string[] = [];
    running = await startApp(adapter(), {
      controllers: [PathsController],
      app: { logger: new Collecting(lines) },
    });
    expect(lines.filter((line) => /also served|only the host/.test(line))).toEqual([
      'PathsController.get is also served at /paths/one/:id. The tool uses /paths/all.',
      'PathsController serves only the host a.example.com, /b/. Its tools work only if the client connects to MCP at this host.',
    ]);
    expect(await callAt(running.endpoint, 'a.example.com')).toContain('"text":"paths"');
    expect(await callAt(running.endpoint, 'c.example.com')).toContain('"isError":true');
  });

  // Fastify refuses two routes with one path, with and without this package.
  const itOnExpress = name === 'Express' ? it : it.skip;

  itOnExpress('publishes a controller that is listed twice once', async () => {
    @Controller('shared')
    class SharedController {
      @Get()
      @McpTool({ name: 'shared', description: 'Served twice' })
      get() {
        return 'shared';
      }
    }
    @Module({ controllers: [SharedController] })
    class OneModule {}
    const lines: string[] = [];
    running = await startApp(adapter(), {
      imports: [OneModule],
      controllers: [SharedController],
      app: { logger: new Collecting(lines) },
    });
    const client = await running.connect();
    expect(textOf(await client.call('shared'))).toBe('shared');
    await client.leave();
    expect(lines.filter((line) => line.includes('SharedController.get'))).toEqual([]);
  });
});
