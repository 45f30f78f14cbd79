import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { IgnoredSchemaError } from '../errors.js';
import { classesOf } from '../nest/discovered-classes.js';
import { parametersOf } from '../nest/handler-parameters.js';

/**
 * Stops the startup if Nest ignores the schema of a parameter. Nest 11 treats the options of
 * `@Body({ schema })` as a pipe. It skips this pipe, because the options have no `transform`. The
 * handler would then receive unchecked input.
 */
@Injectable()
export class IgnoredSchemaCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws IgnoredSchemaError */
  onModuleInit(): void {
    const wrappers = [...this.discovery.getControllers(), ...this.discovery.getProviders()];
    for (const owner of classesOf(wrappers)) {
      for (const method of this.scanner.getAllMethodNames(owner.prototype as object)) {
        refuseIn(owner, method);
      }
    }
  }
}

function refuseIn(owner: Type, method: string): void {
  for (const { decorator, index, pipes } of parametersOf(owner, method)) {
    if (pipes.some(isIgnoredSchema)) {
      throw new IgnoredSchemaError(`${owner.name}.${method}`, index + 1, decorator);
    }
  }
}

function isIgnoredSchema(pipe: unknown): boolean {
  if (typeof pipe !== 'object' || pipe === null) return false;
  return 'schema' in pipe && typeof (pipe as { transform?: unknown }).transform !== 'function';
}
