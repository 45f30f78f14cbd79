import { configurableModule } from '@fledge-internal/nest-modules';
import { refuseSecondImport } from '@fledge/core/packages';
import { type ConfigurableModuleAsyncOptions, type DynamicModule, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { PANEL_OPTIONS, PanelAdapter } from './panel.adapter.js';
import { placeOf, type ResolvedPanelOptions, resolvePanelOptions } from './panel.defaults.js';
import { PanelOptionError } from './panel.errors.js';
import type { PanelOptions } from './panel.options.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = configurableModule<PanelOptions>(
  'PanelModule',
  placeOf,
);

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
@Module({
  providers: [
    {
      provide: PANEL_OPTIONS,
      useFactory: () => {
        throw new PanelOptionError(
          'PanelModule has no options. Import PanelModule.forRoot() in the root module.',
        );
      },
    },
  ],
})
export class PanelModule extends ConfigurableModuleClass {
  /**
   * @throws PanelOptionError
   * @throws PanelUnprotectedError
   */
  static override forRoot(options: PanelOptions = {}): DynamicModule {
    const { enabled } = resolvePanelOptions(options, process.env['NODE_ENV']);
    if (!enabled)
      return { module: PanelModule, providers: [{ provide: PANEL_OPTIONS, useValue: null }] };
    return {
      module: PanelModule,
      imports: [PanelAdapter()],
      providers: [
        {
          provide: PANEL_OPTIONS,
          useFactory: (modules: ModulesContainer) => optionsFor(modules, options),
          inject: [ModulesContainer],
        },
      ],
    };
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
          useFactory: optionsFor,
          inject: [ModulesContainer, MODULE_OPTIONS_TOKEN],
        },
      ],
    };
  }
}

/**
 * Resolves the options when the application is created, because main.ts may read NODE_ENV from a
 * file after it has imported the module.
 */
function optionsFor(modules: ModulesContainer, options: PanelOptions = {}): ResolvedPanelOptions {
  // Two panels would have the same path, and only one of them would check requests.
  refuseSecondImport(modules, PanelModule, 'PanelModule', PanelOptionError);
  return resolvePanelOptions(options, process.env['NODE_ENV']);
}
