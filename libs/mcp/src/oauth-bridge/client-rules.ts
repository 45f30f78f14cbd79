import { LOOPBACK_HOSTS } from '@fledge/core/packages';
import type { ClientMetadata, Configuration } from 'oidc-provider';

type Oidc = typeof import('oidc-provider');

/** Returns the rules for clients that register. */
export function clientRulesOf(oidc: Oidc): Configuration {
  return {
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      grant_types: GRANT_TYPES,
      id_token_signed_response_alg: 'ES256',
    },
    extraClientMetadata: {
      properties: ['checked_redirect_uris'],
      validator: (_ctx, _key, _value, metadata) => {
        refuseRedirects(oidc, metadata.redirect_uris);
        keepSupported(metadata);
      },
    },
  };
}

const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/**
 * Removes values that oidc-provider would reject. RFC 7591 §3.2.1 allows this, and clients such as
 * Claude list every grant type that they support.
 */
function keepSupported(metadata: ClientMetadata): void {
  const requested: unknown = metadata.grant_types;
  const supported = GRANT_TYPES.filter(
    (type) => Array.isArray(requested) && requested.includes(type),
  );
  if (supported.length > 0) metadata.grant_types = supported;
  // Allows https, loopback addresses with any port, and schemes of applications, such as `cursor:`.
  // With `web`, oidc-provider would allow https only.
  metadata.application_type = 'native';
  // Each login requests its own scopes, and the user consents to them. With a list of scopes,
  // oidc-provider would also reject later logins that need more scopes.
  delete metadata.scope;
  // oidc-provider would fetch this URL, which may point into the internal network. Only pairwise
  // subjects need it, and this server does not offer them.
  delete metadata.sector_identifier_uri;
}

/**
 * Schemes that no application owns: they lead to another machine, or browsers handle them. For such
 * a scheme, the consent page would name the wrong recipient of a code.
 */
const SHARED_SCHEMES = new Set(
  (
    'about blob chrome content data filesystem ftp ftps git gopher imap imaps intent irc ircs ' +
    'javascript ldap ldaps mailto mms news nfs nntp pop rsync rtsp sftp sip sips smb sms ssh svn tel telnet urn ' +
    'vbscript view-source webcal ws wss file'
  )
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

/** Rejects plain HTTP to other machines, because a code could be intercepted (OAuth 2.1 §2.3.1). */
function refuseRedirects(oidc: Oidc, redirects: unknown): void {
  // oidc-provider rejects other values later.
  if (!Array.isArray(redirects)) return;
  for (const redirect of redirects as string[]) {
    if (!URL.canParse(redirect)) continue;
    const { protocol, hostname } = new URL(redirect);
    if (SHARED_SCHEMES.has(protocol)) {
      throw invalidRedirect(
        oidc,
        'redirect_uris must use https, a loopback address or an application scheme, ' +
          `not ${protocol}`,
      );
    }
    if (protocol !== 'http:' || LOOPBACK_HOSTS.has(hostname)) continue;
    throw invalidRedirect(oidc, 'redirect_uris must use https, except on loopback');
  }
}

/** oidc-provider ignores a message that is passed to this error. */
function invalidRedirect(oidc: Oidc, description: string): Error {
  return Object.assign(new oidc.errors.InvalidRedirectUri(), { error_description: description });
}
