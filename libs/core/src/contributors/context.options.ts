import { configurableModule } from '@fledge-internal/nest-modules';
import {
  kind,
  listOf,
  type OptionTable,
  type ReadOptions,
  readOptions,
} from '@fledge-internal/options';
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
  configurableModule<ContextModuleOptions>('ContextModule', placeOf);

/** A list of context decorators. */
export const contextDecorators = listOf(
  kind<HttpContextDecorator>(
    'a decorator made by defineHttpContextDecorator()',
    (value) => typeof value === 'function' && 'contributor' in value,
  ).required,
);

const OPTIONS = {
  contributors: contextDecorators.default([]),
} satisfies OptionTable<ContextModuleOptions>;

/** @throws CoreOptionError */
export function readContextOptions(options: ContextModuleOptions): ReadOptions<typeof OPTIONS> {
  return readOptions(options, OPTIONS, placeOf('ContextModule.forRoot'));
}
