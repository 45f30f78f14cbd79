import { checkNames, type Place } from '@fledge-internal/options';
import {
  type ConfigurableModuleAsyncOptions,
  ConfigurableModuleBuilder,
  type ConfigurableModuleCls,
  type DynamicModule,
} from '@nestjs/common';

const SOURCES = ['useFactory', 'useClass', 'useExisting'] as const;
const ASYNC_OPTIONS = [...SOURCES, 'imports', 'inject', 'provideInjectionTokensFrom'];

/** The base class of a module with `forRoot()` and `forRootAsync()`, and the token of its options. */
export interface ConfigurableModule<Options> {
  readonly ConfigurableModuleClass: ConfigurableModuleCls<Options, 'forRoot'>;
  readonly MODULE_OPTIONS_TOKEN: string | symbol;
}

/**
 * Creates the base class of a module.
 * @param name the name of the module, for messages
 * @param placeOf returns the place of the options that a call receives, for messages
 */
export function configurableModule<Options>(
  name: string,
  placeOf: (call: string) => Place,
): ConfigurableModule<Options> {
  const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<Options>()
    .setClassMethodName('forRoot')
    .build();
  class CheckedModule extends ConfigurableModuleClass {
    static override forRootAsync(options: ConfigurableModuleAsyncOptions<Options>): DynamicModule {
      checkAsyncOptions(options, placeOf(`${name}.forRootAsync`));
      return super.forRootAsync(options);
    }
  }
  return { ConfigurableModuleClass: CheckedModule, MODULE_OPTIONS_TOKEN };
}

/**
 * Checks the options of `forRootAsync()`. NestJS checks their values, but its error for a
 * misspelled name does not contain the name.
 * @param statics the names of further options, next to the factory
 * @throws the error of the place
 */
export function checkAsyncOptions(
  given: unknown,
  place: Place,
  statics: readonly string[] = [],
): void {
  checkNames(given, [...statics, ...ASYNC_OPTIONS], place);
  if (SOURCES.some((source) => given[source] !== undefined)) return;
  throw place.error(`has no ${SOURCES.join(', ')}. Add useFactory: () => ({ ... })`);
}
