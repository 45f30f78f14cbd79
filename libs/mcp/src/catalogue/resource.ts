import type { McpResourceDefinition } from '../mcp.definitions.js';
import type { Operation } from './operation.js';
import { type UriTemplate, UriTemplateError, uriTemplateOf } from './uri-template.js';
import { type Completions, completionsOf, type RouteLookup } from './completion.js';
import type { McpResourceOptions } from '../decorators/mcp-resource.decorator.js';
import type { Route } from '../routes/route.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { NotARouteError, ResourceUriError } from '../mcp.errors.js';
import { inputSchemaOf } from '../schema/input-schema.js';
import type { OperationInput } from '../schema/operation-input.js';

/** A route made into a resource, or into a resource template. */
export interface Resource extends McpResourceDefinition, Operation {
  readonly kind: 'resource';
  readonly title: string | undefined;
  readonly mimeType: string | undefined;
  /** Undefined where the URI has no parameters. */
  readonly template: UriTemplate | undefined;
  /** The operations that complete a parameter, by its name. */
  readonly completions: Completions;
}

/** A resource as `resources/list` and `resources/templates/list` show it (MCP 2025-11-25). */
export function listedResource(resource: Resource): object {
  const { name, title, description, mimeType, uri, template } = resource;
  return {
    [template ? 'uriTemplate' : 'uri']: uri,
    name,
    ...(title !== undefined && { title }),
    ...(description !== '' && { description }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/**
 * Makes a resource of a route.
 * @throws NotARouteError for a route that is not read by GET
 * @throws ResourceUriError for a URI from which the route's request cannot be made
 */
export function resourceOf(
  route: Route,
  meta: McpResourceOptions,
  options: ResolvedMcpOptions,
  routeOf: RouteLookup,
  warn: (warning: string) => void,
): Resource {
  if (route.verb !== 'GET') {
    throw new NotARouteError(
      route.label,
      '@McpResource',
      `answers ${route.verb}: a resource is read by GET`,
    );
  }
  const input = inputSchemaOf(route, undefined, warn);
  const template = templateOf(route, meta.uri);
  assertFits(route, meta.uri, template?.parameters ?? [], input);
  return {
    kind: 'resource',
    name: meta.name ?? route.label,
    uri: meta.uri,
    title: meta.title,
    description: meta.description ?? '',
    mimeType: meta.mimeType,
    httpMethod: route.verb,
    mountPath: route.path,
    template,
    completions: completionsOf(route, meta.complete, template?.parameters ?? [], routeOf, warn),
    route,
    input,
    timeoutMs: meta.timeoutMs ?? options.limits.timeoutMs,
    scopes: meta.scopes ?? [],
  };
}

function templateOf(route: Route, uri: string): UriTemplate | undefined {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:./.test(uri)) {
    throw new ResourceUriError(route.label, uri, "has no scheme: write one, as in 'tasks://list'");
  }
  try {
    return uriTemplateOf(uri);
  } catch (error) {
    if (error instanceof UriTemplateError) {
      throw new ResourceUriError(route.label, uri, error.message);
    }
    throw error;
  }
}

/** Every parameter of the URI must reach the route, and everything the route must have be in the URI. */
function assertFits(
  route: Route,
  uri: string,
  parameters: readonly string[],
  { schema, places }: OperationInput,
): void {
  const known = places.map(({ argument }) => argument);
  const stranger = parameters.find((name) => !known.includes(name));
  if (stranger !== undefined) {
    const names = known.length === 0 ? 'none' : known.join(', ');
    throw new ResourceUriError(
      route.label,
      uri,
      `has the parameter "${stranger}", but the route takes ${names}`,
    );
  }
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const missing = required.find((name) => !parameters.includes(name));
  if (missing !== undefined) {
    throw new ResourceUriError(
      route.label,
      uri,
      `leaves out "${missing}", without which the route cannot be called: add {${missing}}`,
    );
  }
}
