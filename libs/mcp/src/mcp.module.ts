import {
  type ConfigurableModuleAsyncOptions,
  ConfigurableModuleBuilder,
  type DynamicModule,
  Global,
  Module,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ContextModule } from '@fledge/core';
import { RouteExplorer } from './discovery/route.explorer.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { McpAdapter } from './mcp.adapter.js';
import { resolveMcpOptions, usesStdio } from './mcp.defaults.js';
import type { McpAdapterOptions } from './mcp.options.js';
import { MCP_OPTIONS } from './mcp.tokens.js';
import { CurrentMcpCall, McpCall } from './live/mcp-call.js';
import { Completer } from './protocol/completer.js';
import { McpService } from './protocol/mcp.service.js';
import { OperationRunner } from './protocol/operation.runner.js';
import { PromptGetter } from './protocol/prompt.getter.js';
import { ResourceReader } from './protocol/resource.reader.js';
import { ToolCaller } from './protocol/tool.caller.js';
import { McpEndpoint } from './transport/endpoint.js';
import { EndpointMount } from './transport/endpoint.mount.js';
import { StdioMount } from './transport/stdio.mount.js';
import { keepStdoutClean, takeStdout } from './transport/stdout.js';

// When this package is loaded: code of the application runs, and prints, before `forRoot()` does.
if (usesStdio(undefined)) keepStdoutClean();

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<McpAdapterOptions>().setClassMethodName('forRoot').build();

/**
 * Publishes the application's routes that carry `@McpTool` to MCP clients at `{basePath}/messages`.
 *
 * @example
 * ```ts
 * @Module({ imports: [McpModule.forRoot({ name: 'task-api' })] })
 * export class AppModule {}
 * ```
 */
@Global()
@Module({
  imports: [DiscoveryModule, ContextModule],
  providers: [
    { provide: MCP_OPTIONS, useFactory: resolveMcpOptions, inject: [MODULE_OPTIONS_TOKEN] },
    RouteExplorer,
    Dispatcher,
    OperationRunner,
    ToolCaller,
    ResourceReader,
    PromptGetter,
    Completer,
    McpService,
    { provide: McpCall, useClass: CurrentMcpCall },
    McpEndpoint,
    EndpointMount,
    StdioMount,
    McpAdapter,
  ],
  exports: [McpAdapter, McpCall],
})
export class McpModule extends ConfigurableModuleClass {
  static override forRoot(options: McpAdapterOptions): DynamicModule {
    // Now, before Nest logs its first line.
    if (usesStdio(options.transport)) takeStdout();
    return super.forRoot(options);
  }

  static override forRootAsync(
    options: ConfigurableModuleAsyncOptions<McpAdapterOptions>,
  ): DynamicModule {
    if (usesStdio(undefined)) takeStdout();
    return super.forRootAsync(options);
  }
}
