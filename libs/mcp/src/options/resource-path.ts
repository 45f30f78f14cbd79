import type { ResolvedEndpoint } from './endpoint-defaults.js';

/**
 * A sentence for each endpoint whose metadata is for another URL: clients such as VS Code do not use a document whose
 * `resource` differs from the URL that they connect to (RFC 9728 §3.3). A proxy may put a prefix before the path.
 */
export function foreignResources(
  endpoints: readonly Pick<ResolvedEndpoint, 'path' | 'auth'>[],
): readonly string[] {
  return endpoints.flatMap(({ path, auth }) => {
    const resource = auth?.metadata?.resource;
    if (auth === undefined || resource === undefined) return [];
    const { origin, pathname } = new URL(resource);
    if (pathname.endsWith(path)) return [];
    const isAudience = auth.type === 'oidc' && auth.audience.includes(resource);
    const option = isAudience ? 'auth.audience' : 'auth.resourceMetadata.resource';
    const own = endpoints.length > 1 ? ' Give each endpoint an auth of its own.' : '';
    return [
      `The metadata of the endpoint ${path} has the resource ${resource}, so clients such as VS Code and Gemini CLI ` +
        `reject it and cannot log in. Set ${option} to the URL of the endpoint, such as ${origin}${path}.${own}`,
    ];
  });
}
