import { ConfigurableModuleBuilder } from '@nestjs/common';
import { CoreOptionError } from '../errors.js';
import { type KnownOptions, refuseUnknownOptions } from '../known-options.js';
import type { HttpContextDecorator } from './context-decorator.js';

/** Options of `ContextModule.forRoot()`. */
export interface ContextModuleOptions {
  /** Context decorators for every route, unless a stronger level replaces them. @default none */
  readonly contributors?: readonly HttpContextDecorator[];
}

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: CONTEXT_OPTIONS } =
  new ConfigurableModuleBuilder<ContextModuleOptions>().setClassMethodName('forRoot').build();

const KNOWN: KnownOptions<ContextModuleOptions> = { contributors: true };

/** @throws CoreOptionError */
export function checkedOptions(options: ContextModuleOptions): ContextModuleOptions {
  refuseUnknownOptions(options, KNOWN, 'ContextModule.forRoot', CoreOptionError);
  return options;
}
