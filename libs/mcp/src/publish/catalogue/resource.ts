import type { McpResourceDefinition } from '../../mcp.definitions.js';
import { type Callable, callableOf, type CatalogueSetup, type Operation } from './operation.js';
import { type UriTemplate, uriTemplateOf } from './uri-template.js';
import { type Completions, completionsOf } from './completion.js';
import type { McpResourceOptions } from '../decorators/mcp-resource.decorator.js';
import { noMethodRoute, type Route } from '../routes/route.js';
import { tagsOf } from './route-documentation.js';
import type { AddedResource, ExtensionData } from './publishing-extension.js';
import type { ListEntry } from './published-list.js';
import { NotARouteError, ResourceUriError } from '../../mcp.errors.js';

/** A route published as a resource or a resource template. */
export interface Resource extends Omit<McpResourceDefinition, 'tags'>, Operation {
  readonly kind: 'resource';
  readonly title: string | undefined;
  readonly mimeType: string | undefined;
  /** The content of a resource without a route. Undefined if a route returns the content. */
  readonly text: string | undefined;
  /** Undefined if the URI has no parameters. */
  readonly template: UriTemplate | undefined;
  /** The operations that complete parameters, by parameter name. */
  readonly completions: Completions;
  readonly extended: ExtensionData;
  readonly entry: ListEntry;
}

/**
 * Returns a resource as an entry of `resources/list` or `resources/templates/list` (MCP
 * 2025-11-25).
 */
export function listedResource(resource: Resource): ListEntry {
  const { name, title, description, mimeType, uri, template } = resource;
  return {
    [template ? 'uriTemplate' : 'uri']: uri,
    name,
    ...(title !== undefined && { title }),
    ...(description !== '' && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...resource.entry,
  };
}

/**
 * Builds a resource from a route.
 * @throws NotARouteError if the HTTP method of the route is not GET
 * @throws ResourceUriError if the URI is invalid, or if its parameters do not match the route
 * @throws McpError if the resource conflicts with an extension
 */
export function resourceOf(
  route: Route,
  meta: McpResourceOptions,
  setup: CatalogueSetup,
): Resource {
  if (route.verb !== 'GET') {
    throw new NotARouteError(
      route.label,
      '@McpResource',
      `is a ${route.verb} route. A resource requires a GET route`,
    );
  }
  const callable = callableOf(route, setup);
  const template = templateOf(route, meta.uri);
  const parameters = template?.parameters ?? [];
  assertFits(callable, meta.uri, parameters);
  const { mimeType, extended, entry } = setup.extensions.extendResource(
    { route, uri: meta.uri, isTemplate: template !== undefined, mimeType: meta.mimeType },
    meta,
  );
  return {
    ...callable,
    kind: 'resource',
    name: meta.name ?? route.label,
    uri: meta.uri,
    title: meta.title,
    description: meta.description ?? '',
    mimeType,
    text: undefined,
    extended,
    entry,
    httpMethod: route.verb,
    mountPath: route.path,
    tags: meta.tags ?? tagsOf(route),
    template,
    completions: completionsOf(route, meta.complete, parameters, setup),
    timeoutMs: meta.timeoutMs ?? setup.options.limits.timeoutMs,
    scopes: meta.scopes ?? [],
  };
}

/** Builds a resource of an extension, which has no route. */
export function addedResourceOf({
  data: _data,
  place,
  ...given
}: AddedResource & Pick<Resource, 'extended'>): Resource {
  return {
    ...given,
    kind: 'resource',
    entry: {},
    httpMethod: 'GET',
    mountPath: '',
    template: undefined,
    completions: new Map(),
    route: noMethodRoute(place, 'GET', ''),
    input: { schema: { type: 'object' }, places: [], body: 'none' },
    validate: () => undefined,
    buildRequest: () => {
      throw new Error(`${place} has no route`);
    },
    redact: (args) => args,
    timeoutMs: 0,
    scopes: [],
    tags: [],
  };
}

function templateOf(route: Route, uri: string): UriTemplate | undefined {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:./.test(uri)) {
    throw new ResourceUriError(
      route.label,
      uri,
      "has no scheme. Add a scheme, as in 'tasks://list'",
    );
  }
  const template = uriTemplateOf(uri);
  if (template && 'refused' in template) {
    throw new ResourceUriError(route.label, uri, template.refused);
  }
  return template;
}

/**
 * Compares the route with the URI. The route must have every parameter of the URI. The URI must
 * have every required argument of the route.
 */
function assertFits({ route, input }: Callable, uri: string, parameters: readonly string[]): void {
  const { schema, places } = input;
  const known = places.map(({ argument }) => argument);
  const stranger = parameters.find((name) => !known.includes(name));
  if (stranger !== undefined) {
    const names = known.length === 0 ? 'none' : known.join(', ');
    throw new ResourceUriError(
      route.label,
      uri,
      `has the parameter "${stranger}", which the route does not have. The parameters of the ` +
        `route are: ${names}`,
    );
  }
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const missing = required.find((name) => !parameters.includes(name));
  if (missing !== undefined) {
    throw new ResourceUriError(
      route.label,
      uri,
      `lacks the parameter "${missing}", which the route requires. Add {${missing}} to the URI`,
    );
  }
}
