import type { McpResourceDefinition } from '../mcp.definitions.js';
import { type Callable, callableOf, type CatalogueSetup, type Operation } from './operation.js';
import { type UriTemplate, uriTemplateOf } from './uri-template.js';
import { type Completions, completionsOf } from './completion.js';
import type { McpResourceOptions } from '../decorators/mcp-resource.decorator.js';
import type { Route } from '../routes/route.js';
import { tagsOf } from './route-documentation.js';
import { assertHtml, isPageUri, type Page, PAGE_TYPE, pageOf } from './page.js';
import type { ListEntry, ListForm } from './published-list.js';
import { NotARouteError, PageError, ResourceUriError } from '../mcp.errors.js';

/** A route published as a resource or a resource template. */
export interface Resource extends Omit<McpResourceDefinition, 'tags'>, Operation {
  readonly kind: 'resource';
  readonly title: string | undefined;
  readonly mimeType: string | undefined;
  /** Undefined: no page. */
  readonly page: Page | undefined;
  /** Undefined if the URI has no parameters. */
  readonly template: UriTemplate | undefined;
  /** The operations that complete parameters, by parameter name. */
  readonly completions: Completions;
}

/**
 * A resource as `resources/list` or `resources/templates/list` returns it (MCP 2025-11-25). Clients without pages
 * do not get pages.
 */
export function listedResource(
  resource: Resource,
  { pages }: Pick<ListForm, 'pages'>,
): ListEntry | undefined {
  if (resource.page && !pages) return undefined;
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
 * Builds a resource from a route.
 * @throws NotARouteError if the HTTP method of the route is not GET
 * @throws ResourceUriError if the URI is invalid or does not fit the route's parameters
 * @throws PageError if the URI is that of a page, and the route does not fit
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
      `answers ${route.verb}: a resource is read by GET`,
    );
  }
  const callable = callableOf(route, setup);
  const template = templateOf(route, meta.uri);
  const parameters = template?.parameters ?? [];
  assertFits(callable, meta.uri, parameters);
  const isPage = isPageUri(meta.uri);
  assertPlace(route, meta, template);
  return {
    ...callable,
    kind: 'resource',
    name: meta.name ?? route.label,
    uri: meta.uri,
    title: meta.title,
    description: meta.description ?? '',
    mimeType: isPage ? PAGE_TYPE : meta.mimeType,
    page: isPage ? routePageOf(route, meta) : undefined,
    httpMethod: route.verb,
    mountPath: route.path,
    tags: meta.tags ?? tagsOf(route),
    template,
    completions: completionsOf(route, meta.complete, parameters, setup),
    timeoutMs: meta.timeoutMs ?? setup.options.limits.timeoutMs,
    scopes: meta.scopes ?? [],
  };
}

function routePageOf({ handler, label }: Route, meta: McpResourceOptions): Page {
  assertHtml(handler, meta.mimeType, label);
  return pageOf(meta.ui ?? {});
}

/** Tools name a page by its whole URI, and clients may load it before a call. */
function assertPlace(
  { label }: Route,
  { uri, ui }: McpResourceOptions,
  template: UriTemplate | undefined,
): void {
  if (!isPageUri(uri) && ui !== undefined) {
    throw new PageError(label, `ui is for pages, and "${uri}" is none. Start the URI with ui://`);
  }
  if (isPageUri(uri) && template) {
    throw new ResourceUriError(label, uri, 'has parameters, and a page has none');
  }
}

function templateOf(route: Route, uri: string): UriTemplate | undefined {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:./.test(uri)) {
    throw new ResourceUriError(route.label, uri, "has no scheme: write one, as in 'tasks://list'");
  }
  const template = uriTemplateOf(uri);
  if (template && 'refused' in template) {
    throw new ResourceUriError(route.label, uri, template.refused);
  }
  return template;
}

/** Checks that the route has every parameter of the URI, and the URI every required argument. */
function assertFits({ route, input }: Callable, uri: string, parameters: readonly string[]): void {
  const { schema, places } = input;
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
