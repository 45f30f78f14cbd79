import type { HttpServer } from '@nestjs/common';
import type { Server } from 'node:http';
import { serveExplorer } from '../explorer/serve-explorer.js';
import type { NestGraphqlModule } from '../nest-graphql-modules.js';
import { UpgradeRouter } from '../sockets/upgrade-router.js';

/**
 * Serves the explorer at the path of a `GraphQLModule`. The one of Nest loads its script from another server. Call
 * this before modules are initialized, so that it stands before Apollo.
 */
export function exploreApollo({ module }: NestGraphqlModule, adapter: HttpServer): void {
  // Set when the module was initialized.
  const options = () => module.completeOptions as unknown as Options | undefined;
  serveExplorer(adapter, {
    path: () => options()?.path,
    socketPath: () => socketPathOf(options(), adapter.getHttpServer() as Server),
  });
}

/** The path of `GraphqlSubscriptionsModule.forApollo()`, or that of the module's own sockets. */
function socketPathOf(options: Options | undefined, server: Server): string | undefined {
  if (options === undefined || UpgradeRouter.serves(server, options.path)) return options?.path;
  const own = options.subscriptions?.['graphql-ws'];
  if (!own) return undefined;
  return (typeof own === 'object' ? own.path : undefined) ?? options.path;
}

/** The resolved options of a `GraphQLModule` that are used here. */
interface Options {
  /** Includes the global prefix with `useGlobalPrefix`. */
  readonly path: string;
  readonly subscriptions?: { readonly 'graphql-ws'?: boolean | { readonly path?: string } };
}
