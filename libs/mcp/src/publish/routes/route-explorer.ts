import { isObject } from '@fledge-internal/options';
import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { publishedBy } from './exposure.js';
import { NotARouteError } from '../../mcp.errors.js';
import { HTTP_METHODS } from '../../options/option-rules.js';
import type { HttpMethod } from '../../mcp.definitions.js';
import { HostApplication } from './host-application.js';
import {
  type ControllerMethod,
  handlerOf,
  nestHostOf,
  nestInterceptorsOf,
  nestParametersOf,
  type NestRoute,
  nestRouteOf,
} from './nest-routes.js';
import { pathParametersOf } from './path-parameters.js';
import { type QueryReads, queryReads } from './query-parser.js';
import type { PathParameter, Route, RouteParameter } from './route.js';
import { type BodyRules, consumedBy, sentMediaType, uploadOf } from './upload.js';

/** A route of Nest with its handler. */
export interface ServedRoute extends NestRoute {
  readonly controller: Type;
  readonly methodName: string;
  /** If undefined, the route serves all hosts. */
  readonly host: unknown;
}

/** Finds every controller route of the application that a tool could call. */
@Injectable()
export class RouteExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
    private readonly application: HostApplication,
  ) {}

  /**
   * Returns the routes that can be published. Call this after `main.ts` has set the global prefix
   * and versioning.
   * @throws NotARouteError if a decorated method cannot be called. The decorators are `@McpTool`,
   * `@McpResource` and `@McpPrompt`
   */
  explore(): Route[] {
    const reads = queryReads(this.application.queryParser);
    this.refuseProviders();
    return this.methods().flatMap((method) => this.routeOf(method, reads) ?? []);
  }

  /**
   * Returns all routes of a controller, published or not, in the order in which Nest registers
   * them.
   */
  served(): ServedRoute[] {
    return this.methods().flatMap((method) => {
      const { controller, methodName } = method;
      const found = nestRouteOf(method, this.application.config);
      return found ? [{ ...found, controller, methodName, host: nestHostOf(controller) }] : [];
    });
  }

  private methods(): ControllerMethod[] {
    const { applicationId } = this.modules;
    return this.discovery.getControllers().flatMap(({ metatype, host }) => {
      if (typeof metatype !== 'function') return [];
      const controller = metatype as Type;
      return this.scanner
        .getAllMethodNames(controller.prototype as object)
        .map((methodName) => ({ controller, methodName, module: host?.metatype, applicationId }));
    });
  }

  /**
   * Rejects decorators on methods of services, resolvers or gateways, because they would publish
   * nothing.
   */
  private refuseProviders(): void {
    const handlers = new Set(
      this.methods().map(({ controller, methodName }) => handlerOf(controller, methodName)),
    );
    for (const provider of this.discovery.getProviders().flatMap(classOf)) {
      for (const methodName of this.scanner.getAllMethodNames(provider.prototype as object)) {
        const handler = handlerOf(provider, methodName);
        const decorator = publishedBy(handler);
        // A controller can also be a provider, or the base class of a provider.
        if (decorator === undefined || handlers.has(handler)) continue;
        throw new NotARouteError(`${provider.name}.${methodName}`, decorator, NO_CONTROLLER);
      }
    }
  }

  private routeOf(method: ControllerMethod, reads: QueryReads): Route | undefined {
    const { controller, methodName } = method;
    const label = `${controller.name}.${methodName}`;
    const handler = handlerOf(controller, methodName);
    const found = nestRouteOf(method, this.application.config);
    const [path, ...otherPaths] = found?.paths ?? [];
    const obstacle = obstacleOf(found);
    const pathParameters = path === undefined ? undefined : pathParametersOf(path);
    if (!found || path === undefined || !pathParameters || obstacle !== undefined) {
      const decorator = publishedBy(handler);
      if (decorator) throw new NotARouteError(label, decorator, obstacle ?? badPath(path));
      return undefined;
    }

    const parameters = withNamedWildcard(nestParametersOf(controller, methodName), pathParameters);
    const bodyRules = [bodyRulesOf(handler), bodyRulesOf(controller)] as const;
    return {
      controller,
      handler,
      methodName,
      label,
      verb: found.verb as HttpMethod,
      path,
      otherPaths,
      ...(found.unversionedPath !== undefined &&
        found.unversionedPath !== path && { unversionedPath: found.unversionedPath }),
      pathParameters,
      parameters,
      consumes: sentMediaType(...bodyRules),
      upload: uploadOf(found.verb, parameters, ...bodyRules),
      queryReads: reads,
      version: found.version,
    };
  }
}

const NO_CONTROLLER =
  'is a method of a provider. Only routes can be published. Move the decorator to a route (with ' +
  '@Get(), @Post() or another verb) of a @Controller(), and call the provider from there';

/** Returns the class of a provider. For a factory, returns the class of the created instance. */
function classOf({ metatype, inject, instance }: ProviderWrapper): readonly Type[] {
  const isFactory = Array.isArray(inject);
  if (typeof metatype === 'function' && !isFactory) return [metatype as Type];
  const made: unknown = isObject(instance) ? Object.getPrototypeOf(instance) : undefined;
  const type = isObject(made) ? made['constructor'] : undefined;
  return typeof type === 'function' ? [type as Type] : [];
}

type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];

function bodyRulesOf(target: Function): BodyRules {
  return { mediaTypes: consumedBy(target), interceptors: nestInterceptorsOf(target) };
}

/**
 * If a handler reads an unnamed wildcard with `@Param('*')`, renames the parameter to the name of
 * the wildcard in the path.
 */
function withNamedWildcard(
  parameters: RouteParameter[],
  pathParameters: readonly PathParameter[],
): RouteParameter[] {
  const wildcard = pathParameters.find(({ kind }) => kind === 'wildcard');
  return parameters.map((parameter) =>
    wildcard && parameter.source === 'path' && parameter.name === '*'
      ? { ...parameter, name: wildcard.name }
      : parameter,
  );
}

function badPath(path: string | undefined): string {
  if (path === undefined) return 'has no path';
  return `has the path ${path}, which cannot be parsed. Write parameters as :id, and check them with a pipe`;
}

/** Returns the reason why a method cannot be a tool, or undefined if it can be a tool. */
function obstacleOf(route: NestRoute | undefined): string | undefined {
  if (route === undefined) return 'is not a route. Add @Get(), @Post() or another verb';
  if (route.streams === 'sse')
    return 'streams server-sent events. Remove the decorator, or publish a route that returns JSON';
  if (route.streams === 'render')
    return 'renders a page. Remove the decorator, or publish a route that returns JSON';
  if (!(HTTP_METHODS as readonly string[]).includes(route.verb)) {
    return `handles the HTTP method ${route.verb}. Use one of ${HTTP_METHODS.join(', ')}`;
  }
  return undefined;
}
