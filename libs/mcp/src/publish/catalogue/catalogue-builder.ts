import { isObject } from '@fledge-internal/options';
import { getMcpPromptMeta } from '../decorators/mcp-prompt.decorator.js';
import { getMcpToolMeta } from '../decorators/mcp-tool.decorator.js';
import { getMcpResourceMeta } from '../decorators/mcp-resource.decorator.js';
import { type ExposureRules, isExposed, isLeftOut, publishedBy } from '../routes/exposure.js';
import { nestHostOf } from '../routes/nest-routes.js';
import { isSameMethod, type Route } from '../routes/route.js';
import { NotARouteError } from '../../mcp.errors.js';
import type { McpExposureMode } from '../../mcp.options.js';
import { foreignResources } from '../../options/resource-path.js';
import type { McpSourceTool } from '../../tool-source.js';
import { typesOf } from '../schema/json-schema.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import { Catalogue, operationsOf, type Published } from './catalogue.js';
import { decoratorCheck } from './decorator-options.js';
import type { CatalogueSetup, Operation } from './operation.js';
import { promptOf } from './prompt.js';
import { addedResourceOf, resourceOf } from './resource.js';
import type { Visible } from './published-list.js';
import { isDescribed } from './route-documentation.js';
import {
  selectedFrom,
  warnOfUnknownTags,
  warnOfUnselected,
  warnOfUnselectedParts,
} from './selection.js';
import { sourceToolOf } from './source-tool.js';
import { type Tool, toolOf } from './tool.js';

export interface CatalogueOptions extends Omit<CatalogueSetup, 'routeOf'> {
  readonly globalPrefix: ExposureRules['globalPrefix'];
  /** True if the application reads request bodies of type text/plain. */
  readonly readsText: boolean;
  /** Tools that are not routes of controllers. */
  readonly sourceTools: readonly McpSourceTool[];
  /** Logs information for the developer. No action is required. */
  readonly log: (fact: string) => void;
}

/**
 * Builds the tools, resources and prompts of all endpoints from the application's routes.
 * @throws McpError if a decorator's options are invalid or its route cannot be published
 */
export function publishedOf(allRoutes: readonly Route[], given: CatalogueOptions): Published {
  const { options, globalPrefix, sourceTools, extensions, warn, log } = given;
  const check = decoratorCheck(extensions.rules);
  allRoutes.forEach(check);
  const routes = withoutUploads(allRoutes, options.mode, warn);
  const setup: CatalogueSetup = {
    ...given,
    routeOf: (controller, methodName) =>
      routes.find((route) => isSameMethod(route, { controller, methodName })),
  };
  const rules = { ...options, globalPrefix };
  const methods = firstOfEachMethod(routes);
  const exposed = routes.filter((route) => isExposed(route, rules));

  const published: Published = {
    tools: [
      ...firstOfEachMethod(exposed).map((route) =>
        extensions.named(toolOf(route, setup), options.extensions),
      ),
      ...sourceTools.map((tool) => sourceToolOf(tool, setup)),
    ],
    resources: [
      ...methods.flatMap((route) => {
        const meta = getMcpResourceMeta(route.handler);
        return meta ? [resourceOf(route, meta, setup)] : [];
      }),
      ...extensions.added.map(addedResourceOf),
    ],
    prompts: methods.flatMap((route) => {
      const meta = getMcpPromptMeta(route.handler);
      return meta ? [promptOf(route, meta, setup)] : [];
    }),
  };
  extensions.check(published);
  warnOfLost(operationsOf(published), given);
  logLeftOut(routes, rules, log);
  logPlaces(exposed, log);
  if (options.warnUndescribed) warnOfUndescribed(published.tools, warn);
  return published;
}

/**
 * Builds one catalogue for each endpoint. A catalogue contains the published items that its
 * endpoint selects.
 * @throws McpError if two items of one endpoint have the same name or URI
 */
export function cataloguesOf(
  published: Published,
  {
    options,
    globalPrefix,
    extensions,
    warn,
  }: Pick<CatalogueOptions, 'options' | 'globalPrefix' | 'extensions' | 'warn'>,
): readonly Catalogue[] {
  const listing = {
    visible: options.visible && closedByFailure(options.visible, warn),
    pageSize: options.limits.listItems,
  };
  const parts = options.endpoints.map(({ selection }) =>
    selectedFrom(published, selection, globalPrefix, extensions),
  );
  warnOfUnknownTags(published, extensions, options.endpoints, warn);
  // Over stdio, only one endpoint is served. This endpoint does not have to select every item.
  if (options.transport === 'http') {
    warnOfUnselected(published, parts, warn);
    warnOfUnselectedParts(extensions, options.endpoints, warn);
    for (const warning of foreignResources(options.endpoints)) warn(warning);
  }
  return parts.map(({ tools, ...part }, i) => {
    const given = options.endpoints[i]?.extensions ?? new Map();
    return new Catalogue(
      { ...part, tools: tools.map((tool) => extensions.named(tool, given)) },
      listing,
    );
  });
}

/** Returns only the first route of each method. Several modules may serve the same controller. */
function firstOfEachMethod(routes: readonly Route[]): readonly Route[] {
  return routes.filter((route, i) => i === routes.findIndex((each) => isSameMethod(each, route)));
}

/** Logs the paths that tools do not call, and the controllers that serve only one host. */
function logPlaces(exposed: readonly Route[], log: CatalogueOptions['log']): void {
  for (const route of firstOfEachMethod(exposed)) {
    const paths = exposed
      .filter((each) => isSameMethod(each, route))
      .flatMap(({ path, otherPaths }) => [path, ...otherPaths]);
    const others = [...new Set(paths)].slice(1);
    if (others.length === 0) continue;
    log(`${route.label} is also served at ${others.join(', ')}. The tool uses ${route.path}.`);
  }
  for (const controller of new Set(exposed.map((route) => route.controller))) {
    const hosts = [nestHostOf(controller) ?? []].flat();
    if (hosts.length === 0) continue;
    log(
      `${controller.name} serves only the host ${hosts.join(', ')}. Its tools work only if the ` +
        'client connects to MCP at this host.',
    );
  }
}

/** Logs the routes that are not tools because they are excluded from the API documentation. */
function logLeftOut(
  routes: readonly Route[],
  rules: ExposureRules,
  log: CatalogueOptions['log'],
): void {
  const labels = routes.filter((route) => isLeftOut(route, rules)).map(({ label }) => label);
  if (labels.length === 0) return;
  log(
    `@ApiExcludeEndpoint or @ApiExcludeController excludes these routes, so they are not tools: ` +
      `${labels.join(', ')}. To publish a route as a tool, add @McpTool.`,
  );
}

/**
 * Logs one warning that lists all tools without a description. Such tools are described only by the
 * HTTP method and path of their route.
 */
function warnOfUndescribed(tools: readonly Tool[], warn: (warning: string) => void): void {
  const all = tools.filter(
    ({ route, source }) =>
      source === undefined && getMcpToolMeta(route.handler) === undefined && !isDescribed(route),
  );
  if (all.length === 0) return;
  warn(
    `${all.length} of ${tools.length} tools have no description, so an agent has to guess what ` +
      `they do: ${all.map(({ name }) => name).join(', ')}. Add a description to each tool: ` +
      '@McpTool({ description }), @ApiOperation({ summary }), or a comment that the plugin of ' +
      '@nestjs/swagger reads.',
  );
}

/** Logs warnings for arguments that the application's parsers would lose. */
function warnOfLost(
  operations: readonly Operation[],
  { readsText, warn }: Pick<CatalogueOptions, 'readsText' | 'warn'>,
): void {
  warnOfObjects(operations, warn);
  if (!readsText) warnOfTextBodies(operations, warn);
}

/**
 * Logs one warning for all query parameters that the application's query string parser cannot read.
 */
function warnOfObjects(operations: readonly Operation[], warn: (warning: string) => void): void {
  const found = operations.flatMap(({ route, input }) =>
    input.unreadable ? `${route.label} (${input.unreadable.join(', ')})` : [],
  );
  if (found.length === 0) return;
  warn(
    "The application's query parser does not support objects, so these query parameters cannot be sent: " +
      `${[...new Set(found)].join(', ')}. Enable objects (Express: app.set('query parser', 'extended'); ` +
      'Fastify: querystringParser), or document the parameters as strings: @ApiProperty({ type: String }), ' +
      "@ApiQuery({ name: '...', type: String }).",
  );
}

/** Logs one warning for all routes whose body is a string that no body parser reads. */
function warnOfTextBodies(operations: readonly Operation[], warn: (warning: string) => void): void {
  const found = operations.filter(({ input: { body, schema } }) => {
    const whole = body === 'whole' && (schema['properties'] as JsonSchema)['body'];
    return isObject(whole) && typesOf(whole).includes('string');
  });
  if (found.length === 0) return;
  warn(
    'No body parser of the application reads text/plain, so a string for these routes is lost: ' +
      `${[...new Set(found.map(({ route }) => route.label))].join(', ')}. In main.ts, call ` +
      "app.useBodyParser('text').",
  );
}

/**
 * Returns the routes that do not need a file upload. In auto mode, an upload route with `@McpTool`
 * is left out, and a warning is logged.
 * @throws NotARouteError if any other upload route has a decorator
 */
function withoutUploads(
  routes: readonly Route[],
  mode: McpExposureMode,
  warn: (warning: string) => void,
): readonly Route[] {
  return routes.filter(({ upload, handler, label }) => {
    if (upload === undefined) return true;
    const decorator = publishedBy(handler);
    if (decorator === undefined) return false;
    const error = new NotARouteError(
      label,
      decorator,
      `${upload}. A tool call cannot send files. Remove ${decorator}, or accept the content as ` +
        'a string in a JSON body',
    );
    if (mode === 'explicit' || decorator !== '@McpTool') throw error;
    warn(`${error.message} The route is not published.`);
    return false;
  });
}

/** Hides an item if `visible()` throws, so a failing database does not expose the item. */
function closedByFailure(visible: Visible, warn: (warning: string) => void): Visible {
  return async (published, request) => {
    try {
      return await visible(published, request);
    } catch (error) {
      warn(`visible() threw an error, so "${published.name}" is hidden: ${String(error)}`);
      return false;
    }
  };
}
