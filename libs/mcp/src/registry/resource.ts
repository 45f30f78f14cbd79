import type { McpResourceDefinition } from '../mcp.definitions.js';
import type { Operation } from './operation.js';
import type { UriTemplate } from './uri-template.js';

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

/** By parameter or argument: the operation that answers what it may be. */
export type Completions = ReadonlyMap<string, Operation>;

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
