import { type DynamicModule, Module } from '@nestjs/common';
import { placeOf } from '../checks/option-place.js';
import { ContextRootModule } from './context-root.module.js';
import type { HttpContextDecorator } from '../contributors/context-decorator.js';
import {
  ConfigurableModuleClass,
  contextDecorators,
  type ContextModuleOptions,
} from '../contributors/context.options.js';
import { FEATURE_CONTRIBUTORS } from '../contributors/registered-contributors.js';

/**
 * Opens a request context for every request and runs context decorators. The other Fledge modules
 * import this module. Import it yourself if you need `forRoot` or `forFeature`, or if you use it
 * alone.
 *
 * @example
 * ```ts
 * @Module({ imports: [ContextModule.forRoot({ contributors: [LoadTenant] })] })
 * export class AppModule {}
 * ```
 */
@Module({ imports: [ContextRootModule] })
export class ContextModule extends ConfigurableModuleClass {
  /** Context decorators for every route of the application. */
  static override forRoot(options: ContextModuleOptions = {}): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * Context decorators for the controllers and resolvers of the module that imports it.
   * @throws CoreOptionError if the argument is not a list of context decorators
   */
  static forFeature(contributors: readonly HttpContextDecorator[]): DynamicModule {
    contextDecorators.required.read(contributors, placeOf('ContextModule.forFeature'));
    // Each call creates a new class, because Nest may treat dynamic modules of one class as the
    // same module.
    class ContextFeatureModule {}
    return {
      module: ContextFeatureModule,
      imports: [ContextModule],
      providers: [{ provide: FEATURE_CONTRIBUTORS, useValue: contributors }],
    };
  }
}
