import { RouteHandlers } from '@fledge/core/packages';
import { Injectable, Logger } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/** The key under which Nest stores the path of each handler. */
const PATH = 'path';

/** Finds what else the application serves at the path of a mount. The mount as middleware runs before it. */
@Injectable()
export class TakenPaths {
  constructor(
    private readonly routes: RouteHandlers,
    private readonly modules: ModulesContainer,
  ) {}

  /** @param url the path of the mount, with the global prefix */
  warn(mount: string, url: string): void {
    const holder = this.graphqlModuleAt(url) ?? this.routeAt(url);
    if (holder === undefined) return;
    new Logger('GraphqlMountModule').warn(
      `${mount} and ${holder} have the path ${url}, where the mount answers every request. Give the mount another ` +
        "path: forRoot({ path: '...' }).",
    );
  }

  private graphqlModuleAt(url: string): string | undefined {
    for (const { metatype, instance } of this.modules.values()) {
      if (metatype.name !== 'GraphQLModule') continue;
      // Set when the module was initialized, with the global prefix if it is used.
      const { completeOptions } = instance as unknown as { completeOptions?: { path?: string } };
      if (completeOptions?.path === url) return 'GraphQLModule of @nestjs/graphql';
    }
    return undefined;
  }

  private routeAt(url: string): string | undefined {
    const handlers = this.routes.with(PATH);
    return handlers.find(({ path }) => path === url)?.label;
  }
}
