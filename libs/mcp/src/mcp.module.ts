import {
  type ConfigurableModuleAsyncOptions,
  type DynamicModule,
  Inject,
  Module,
  Optional,
} from '@nestjs/common';
import { neededMcpModule } from './publish/decorators/mcp-module-needed.js';
import { McpAdapter } from './mcp.adapter.js';
import { McpOptionError } from './mcp.errors.js';
import type { McpAdapterOptions } from './mcp.options.js';
import { keepStdoutClean, takeStdout } from './serve/transport/stdout.js';
import { usesStdio } from './uses-stdio.js';

// This line runs when the package is loaded, because application code may print before it calls
// `forRoot()`.
if (usesStdio(undefined)) keepStdoutClean();

type ServerModule = (typeof import('./mcp-server.module.js'))['McpServerModule'];

/**
 * Publishes routes of the application as MCP tools, resources and prompts at `{basePath}/messages`. Import
 * it once, in the root module, with `forRoot()` or `forRootAsync()`.
 *
 * @example
 * ```ts
 * @Module({ imports: [McpModule.forRoot({ name: 'task-api' })] })
 * export class AppModule {}
 * ```
 */
@Module({})
export class McpModule {
  /** @throws McpOptionError if the module is imported without `forRoot()` or `forRootAsync()` */
  constructor(@Optional() @Inject(McpAdapter) adapter: McpAdapter | undefined) {
    neededMcpModule.import();
    if (adapter !== undefined) return;
    throw new McpOptionError(
      "McpModule has no options. Import McpModule.forRoot({ name: 'task-api' }) in the root module.",
    );
  }

  static forRoot(options: McpAdapterOptions): DynamicModule {
    // This line must run before Nest writes the first log line.
    if (usesStdio(options?.transport)) takeStdout();
    return served((server) => server.forRoot(options));
  }

  static forRootAsync(options: ConfigurableModuleAsyncOptions<McpAdapterOptions>): DynamicModule {
    if (usesStdio(undefined)) takeStdout();
    return served((server) => server.forRootAsync(options));
  }
}

/**
 * Loads the server. Applications that use only the decorators do not call this, so they do not load
 * the server.
 */
function served(setUp: (server: ServerModule) => DynamicModule): DynamicModule {
  const server = import('./mcp-server.module.js').then((loaded) => setUp(loaded.McpServerModule));
  // Prevents an unhandled rejection. Nest also receives the error, but maybe later, when Nest scans
  // the module.
  server.catch(() => undefined);
  return { module: McpModule, imports: [server] };
}
