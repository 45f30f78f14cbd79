import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

/**
 * Throws if an application imports a global module twice with different options. Call it in the
 * constructor of the module.
 *
 * @param name the class that applications import
 * @param OptionError class of the error to throw
 */
export function refuseSecondImport(
  modules: ModulesContainer,
  module: Type,
  name: string,
  OptionError: new (message: string) => Error,
): void {
  const all = [...modules.values()].filter(({ metatype }) => metatype === module);
  if (all.length < 2) return;
  throw new OptionError(
    `${name} is imported twice. Call ${name}.forRoot() once, in the root module; it is global, so other ` +
      'modules do not need to import it.',
  );
}
