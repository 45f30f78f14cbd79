import {
  type ConfigurableModuleAsyncOptions,
  type DynamicModule,
  Inject,
  Module,
  Optional,
} from '@nestjs/common';
import { McpAdapter } from './mcp.adapter.js';
import { McpOptionError } from './mcp.errors.js';
import type { McpAdapterOptions } from './mcp.options.js';
import { keepStdoutClean, takeStdout } from './transport/stdout.js';
import { usesStdio } from './uses-stdio.js';

// When this package is loaded: code of the application runs, and prints, before `forRoot()` does.
if (usesStdio(undefined)) keepStdoutClean();

type ServerModule = (typeof import('./mcp-server.module.js'))['McpServerModule'];

/**
 * Publishes the application's routes that carry `@McpTool` to MCP clients at `{basePath}/messages`.
 *
 * @example
 * ```ts
 * @Module({ imports: [McpModule.forRoot({ name: 'task-api' })] })
 * export class AppModule {}
 * ```
 */
@Module({})
export class McpModule {
  /** @throws McpOptionError without `forRoot()` */
  constructor(@Optional() @Inject(McpAdapter) adapter: McpAdapter | undefined) {
    if (adapter !== undefined) return;
    throw new McpOptionError(
      "McpModule has no options. Import McpModule.forRoot({ name: 'task-api' }) in the root module.",
    );
  }

  static forRoot(options: McpAdapterOptions): DynamicModule {
    // Now, before Nest logs its first line.
    if (usesStdio(options.transport)) takeStdout();
    return served((server) => server.forRoot(options));
  }

  static forRootAsync(options: ConfigurableModuleAsyncOptions<McpAdapterOptions>): DynamicModule {
    if (usesStdio(undefined)) takeStdout();
    return served((server) => server.forRootAsync(options));
  }
}

/** `McpModule`, importing what serves: loaded here, so that a decorator alone loads none of it. */
function served(setUp: (server: ServerModule) => DynamicModule): DynamicModule {
  const server = import('./mcp-server.module.js').then((loaded) => setUp(loaded.McpServerModule));
  // Nest throws it when it scans the module, which may be later than this promise is rejected.
  server.catch(() => undefined);
  return { module: McpModule, imports: [server] };
}
