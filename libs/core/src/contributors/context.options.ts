import { kind, type OptionTable, type ReadOptions, readOptions } from '@fledge-internal/options';
import { ConfigurableModuleBuilder } from '@nestjs/common';
import { placeOf } from '../checks/option-place.js';
import type { HttpContextDecorator } from './context-decorator.js';

/** Options of `ContextModule.forRoot()`. */
export interface ContextModuleOptions {
  /**
   * Context decorators for every route, unless overridden for a module, class or method.
   * @default none
   */
  readonly contributors?: readonly HttpContextDecorator[];
}

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: CONTEXT_OPTIONS } =
  new ConfigurableModuleBuilder<ContextModuleOptions>().setClassMethodName('forRoot').build();

const OPTIONS = {
  contributors: kind<readonly HttpContextDecorator[]>(
    'a list of context decorators',
    Array.isArray,
  ).default([]),
} satisfies OptionTable<ContextModuleOptions>;

/** @throws CoreOptionError */
export function readContextOptions(options: ContextModuleOptions): ReadOptions<typeof OPTIONS> {
  return readOptions(options, OPTIONS, placeOf('ContextModule.forRoot'));
}
