import { Injectable } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryService,
  MetadataScanner,
  ModulesContainer,
} from '@nestjs/core';
import { type HttpRoute, httpRoutesOf } from '../nest/route-paths.js';

/** A route, and a metadata value of its handler. */
export interface RouteHandler<Value> extends HttpRoute {
  /** Label of the handler, such as `TasksController.list`. */
  readonly label: string;
  readonly value: Value;
}

/** Finds routes by the metadata of their handlers. */
@Injectable()
export class RouteHandlers {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {}

  /**
   * Returns the routes whose handlers have a value under a metadata key. The list has one entry for
   * each path.
   */
  with<Value>(key: symbol | string): RouteHandler<Value>[] {
    return this.discovery.getControllers().flatMap(({ metatype, host }) => {
      const controller = metatype as new () => object;
      const prototype = controller.prototype as Record<string, Function>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const value = Reflect.getMetadata(key, prototype[name] as Function) as Value | undefined;
        if (value === undefined) return [];
        const place = { controller, methodName: name, module: host?.metatype ?? undefined };
        return httpRoutesOf(place, this.modules.applicationId, this.config).map((route) => ({
          ...route,
          label: `${controller.name}.${name}`,
          value,
        }));
      });
    });
  }
}
