import {
  type ConfigurableModuleAsyncOptions,
  ConfigurableModuleBuilder,
  type DynamicModule,
  Module,
} from '@nestjs/common';
import { PANEL_OPTIONS, PanelAdapter } from './panel.adapter.js';
import { resolvePanelOptions } from './panel.defaults.js';
import type { PanelOptions } from './panel.options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<PanelOptions>().setClassMethodName('forRoot').build();

/**
 * Serves the panel at `/_fledge`, below the global prefix. In development, only requests from this
 * machine are allowed. In production, the panel is off unless `authorize` is set.
 *
 * @example
 * ```ts
 * @Module({ imports: [PanelModule.forRoot()] })
 * export class AppModule {}
 * ```
 */
@Module({})
export class PanelModule extends ConfigurableModuleClass {
  /**
   * @throws PanelOptionError
   * @throws PanelUnprotectedError
   */
  static override forRoot(options: PanelOptions = {}): DynamicModule {
    const resolved = resolvePanelOptions(options, process.env['NODE_ENV']);
    return { module: PanelModule, imports: resolved.enabled ? [PanelAdapter({ resolved })] : [] };
  }

  /**
   * Takes the options from providers. Invalid options stop the startup with the same errors as in
   * `forRoot()`.
   */
  static override forRootAsync(
    options: ConfigurableModuleAsyncOptions<PanelOptions>,
  ): DynamicModule {
    const definition = super.forRootAsync(options);
    return {
      ...definition,
      imports: [...(definition.imports ?? []), PanelAdapter()],
      providers: [
        ...(definition.providers ?? []),
        {
          provide: PANEL_OPTIONS,
          useFactory: (given?: PanelOptions) =>
            resolvePanelOptions(given ?? {}, process.env['NODE_ENV']),
          inject: [{ token: MODULE_OPTIONS_TOKEN, optional: true }],
        },
      ],
    };
  }
}
