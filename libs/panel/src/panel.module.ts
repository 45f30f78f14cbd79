import { type DynamicModule, Module } from '@nestjs/common';
import { PanelAdapter } from './panel.adapter.js';
import { resolvePanelOptions } from './panel.defaults.js';
import type { PanelOptions } from './panel.options.js';

/**
 * Serves the panel at `/_fledge`, below the global prefix. In development it answers requests from this machine;
 * in production it is off unless `authorize` is set.
 *
 * @example
 * ```ts
 * @Module({ imports: [PanelModule.forRoot()] })
 * export class AppModule {}
 * ```
 */
@Module({})
export class PanelModule {
  /**
   * @throws PanelOptionError
   * @throws PanelUnprotectedError
   */
  static forRoot(options: PanelOptions = {}): DynamicModule {
    const resolved = resolvePanelOptions(options, process.env['NODE_ENV']);
    return { module: PanelModule, imports: resolved.enabled ? [PanelAdapter(resolved)] : [] };
  }
}
