import {
  checkNames,
  oneOf,
  type Place,
  type ReadOptions,
  readBy,
  readValues,
} from '@fledge-internal/options';
import {
  BEARER,
  type McpAuthOptions,
  type McpOidcAuthOptions,
  type McpResourceMetadata,
  OIDC,
  resourceMetadata,
} from './auth-options.js';
import { isResourceUrl } from './auth-rules.js';
import { metadataUrlOf } from '../well-known.js';

// The authentication options after defaults are applied.

export type ResolvedMcpAuth = AuthMetadata & (ResolvedBearer | ResolvedOidc);

/** Authentication with a function of the application. */
export interface ResolvedBearer extends Omit<ReadOptions<typeof BEARER>, 'resourceMetadata'> {
  readonly requiredScopes: readonly string[];
}

/** Authentication with an OpenID Connect provider. */
export type ResolvedOidc = Omit<ReadOptions<typeof OIDC>, 'resourceMetadata'>;

/** The metadata that tells clients where to get a token. */
interface AuthMetadata {
  /** URL of the metadata document. `WWW-Authenticate` contains this URL. */
  readonly metadataUrl: string | undefined;
  /** The metadata document. Undefined if this application does not serve the document. */
  readonly metadata: McpResourceMetadata | undefined;
}

/** Authentication options. Their metadata does not contain the server name yet. */
type ReadAuth = (ResolvedBearer | ResolvedOidc) & {
  readonly resourceMetadata: McpResourceMetadata | string | undefined;
};

const AUTH_TYPE = { type: oneOf('bearer', 'oidc').required };
const NAMES = Object.keys({ ...BEARER, ...OIDC });

/** Reads the options. `type` selects the table of options. */
export const auth = readBy<McpAuthOptions, ReadAuth>((given, place) => {
  checkNames(given, NAMES, place);
  readValues(given, AUTH_TYPE, place);
  if (given.type === 'oidc') {
    refuseOthers(given, OIDC, 'bearer', place);
    return oidcOf(given, place);
  }
  refuseOthers(given, BEARER, 'oidc', place);
  return { ...readValues(given, BEARER, place), requiredScopes: [] };
}).optional;

/** @throws McpOptionError for an option of the other type of authentication */
function refuseOthers(
  given: object,
  own: object,
  other: McpAuthOptions['type'],
  place: Place,
): void {
  const [name] =
    Object.entries(given).find(
      ([each, value]) => value !== undefined && !Object.hasOwn(own, each),
    ) ?? [];
  if (name === undefined) return;
  throw place
    .at(name)
    .error(
      `is only for the type '${other}'. Remove this option, or set ${place.path}.type to ` +
        `'${other}'`,
    );
}

function oidcOf(given: McpOidcAuthOptions, place: Place): ReadAuth {
  const read = readValues(given, OIDC, place);
  const at = place.at('resourceMetadata');
  return {
    ...read,
    scopesOf: given.scopesOf?.bind(given),
    resourceMetadata: resourceMetadata.required.read(documentOf(read, at), at),
  };
}

function documentOf(
  { resourceMetadata: given, issuer, audience }: ReadOptions<typeof OIDC>,
  place: Place,
): McpResourceMetadata | string {
  if (typeof given === 'string') return given;
  const resource = given.resource ?? audience.find(isResourceUrl);
  if (resource !== undefined) return { authorization_servers: [issuer], ...given, resource };
  throw place
    .at('resource')
    .wrong(undefined, 'the public URL of the endpoint, because `audience` contains no URL');
}

/**
 * Adds the server name to the metadata.
 * @param name name of the server, shown to users
 */
export function describedAuth(
  read: ReadAuth | undefined,
  name: string,
): ResolvedMcpAuth | undefined {
  if (read === undefined) return undefined;
  const { resourceMetadata: given, ...rest } = read;
  if (typeof given !== 'object') return { ...rest, metadataUrl: given, metadata: undefined };
  return {
    ...rest,
    metadataUrl: metadataUrlOf(given.resource),
    metadata: rest.type === 'oidc' ? { resource_name: name, ...given } : given,
  };
}
