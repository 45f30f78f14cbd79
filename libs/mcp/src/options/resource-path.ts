import type { ResolvedEndpoint } from './endpoint-defaults.js';

/**
 * Returns a warning for each endpoint if the field `resource` of the metadata is not the endpoint's
 * URL. Clients such as VS Code ignore metadata if `resource` differs from the URL that they connect
 * to (RFC 9728 §3.3). The URL may have a prefix before the endpoint's path, because a proxy may add
 * a prefix.
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
    const own = endpoints.length > 1 ? ' Set `auth` for each endpoint separately.' : '';
    return [
      `The metadata of the endpoint ${path} has the \`resource\` ${resource}, which is not the ` +
        'URL of the endpoint. Clients such as VS Code and Gemini CLI reject such metadata and ' +
        `cannot log in. Set ${option} to the URL of the endpoint, such as ` +
        `${origin}${path}.${own}`,
    ];
  });
}
