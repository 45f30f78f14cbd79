import { LOOPBACK_HOSTS } from '@fledge/core/packages';
import type { Configuration } from 'oidc-provider';

type Oidc = typeof import('oidc-provider');

/** Returns the rules for clients that register. */
export function clientRulesOf(oidc: Oidc): Configuration {
  return {
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      // Allows https, loopback addresses with any port, and schemes of applications, such as
      // `cursor:`.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    extraClientMetadata: {
      properties: ['checked_redirect_uris'],
      validator: (_ctx, _key, _value, metadata) => refuseRedirects(oidc, metadata.redirect_uris),
    },
  };
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
function refuseRedirects(oidc: Oidc, redirects: readonly string[] = []): void {
  for (const redirect of redirects) {
    if (!URL.canParse(redirect)) continue;
    const { protocol, hostname } = new URL(redirect);
    if (SHARED_SCHEMES.has(protocol)) {
      throw new oidc.errors.InvalidRedirectUri(
        'redirect_uris must use https, a loopback address or an application scheme, ' +
          `not ${protocol}`,
      );
    }
    if (protocol !== 'http:' || LOOPBACK_HOSTS.has(hostname)) continue;
    throw new oidc.errors.InvalidRedirectUri('redirect_uris must use https, except on loopback');
  }
}
