import { configurableModule } from '@fledge-internal/nest-modules';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { ContextModule } from '@fledge/core';
import { BeforeClosing, refuseSecondImport } from '@fledge/core/packages';
import { EXTENSIONS } from './extensions/index.js';
import { HostApplication } from './publish/routes/host-application.js';
import { RouteExplorer } from './publish/routes/route-explorer.js';
import { McpAdapter } from './mcp.adapter.js';
import {
  type EndpointOptions,
  MCP_OPTIONS,
  type ResolvedMcpOptions,
  resolveMcpOptions,
} from './mcp.defaults.js';
import { McpOptionError } from './mcp.errors.js';
import type { McpAdapterOptions } from './mcp.options.js';
import { McpServer } from './mcp.server.js';
import { placeOf } from './options/option-rules.js';
import { McpServerAdapter } from './mcp-server.adapter.js';
import { CurrentMcpCall } from './serve/call/live-mcp-call.js';
import { McpCall } from './serve/call/mcp-call.js';
import { MCP_EXTENSIONS } from './serve/methods/extension.js';
import { HttpMount } from './serve/transport/http-mount.js';
import { Mount } from './serve/transport/mount.js';
import { StdioMount } from './serve/transport/stdio-mount.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = configurableModule<McpAdapterOptions>(
  'McpModule',
  placeOf,
);

/**
 * The providers of the MCP server. `McpModule` loads this file in `forRoot()` and `forRootAsync()`.
 * The module is global, so every module can inject `McpAdapter` and `McpCall`.
 */
@Global()
@Module({
  imports: [DiscoveryModule, ContextModule],
  providers: [
    { provide: MCP_EXTENSIONS, useValue: EXTENSIONS },
    {
      provide: MCP_OPTIONS,
      useFactory: resolveMcpOptions,
      inject: [MODULE_OPTIONS_TOKEN, MCP_EXTENSIONS],
    },
    HostApplication,
    RouteExplorer,
    { provide: McpCall, useClass: CurrentMcpCall },
    {
      provide: Mount,
      useFactory: mountFor,
      inject: [MCP_OPTIONS, HostApplication, BeforeClosing, RouteExplorer],
    },
    McpServer,
    { provide: McpAdapter, useClass: McpServerAdapter },
  ],
  exports: [McpAdapter, McpCall],
})
export class McpServerModule extends ConfigurableModuleClass {
  constructor(modules: ModulesContainer) {
    super();
    // Two modules would mount two endpoints at the same path, and the second would receive no
    // requests.
    refuseSecondImport(modules, McpServerModule, 'McpModule', McpOptionError);
  }
}

function mountFor(
  options: ResolvedMcpOptions,
  application: HostApplication,
  closing: BeforeClosing,
  routes: RouteExplorer,
): Mount {
  const mount =
    options.transport === 'http'
      ? new HttpMount(options.endpoints, application, routes)
      : new StdioMount(options.endpoints[0] as EndpointOptions, application);
  closing.add(() => mount.close());
  return mount;
}
