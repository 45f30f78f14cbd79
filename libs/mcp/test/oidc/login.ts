import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** What a client keeps between the steps of a login: both official clients ask for these. */
export interface LoginClient {
  readonly redirectUrl: string;
  readonly clientMetadata: {
    client_name: string;
    redirect_uris: string[];
    grant_types: string[];
    response_types: string[];
    token_endpoint_auth_method: string;
    application_type: string;
  };
  clientInformation(): never;
  saveClientInformation(information: unknown): void;
  tokens(): never;
  saveTokens(tokens: unknown): void;
  codeVerifier(): string;
  saveCodeVerifier(verifier: string): void;
  saveDiscoveryState(state: unknown): void;
  discoveryState(): never;
  redirectToAuthorization(url: URL): void;
  /** What was saved, for the test to look at. */
  readonly saved: {
    information?: { client_id: string };
    tokens?: { access_token: string; refresh_token?: string };
    authorization?: URL;
  };
}

/** A client that knows nothing yet: no client id, no provider. */
export function loginClient(redirectUrl: string): LoginClient {
  const saved: LoginClient['saved'] = {};
  let verifier = '';
  let discovered: unknown;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Spec client',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    clientInformation: () => saved.information as never,
    saveClientInformation: (information) => {
      saved.information = information as { client_id: string };
    },
    tokens: () => saved.tokens as never,
    saveTokens: (tokens) => {
      saved.tokens = tokens as { access_token: string };
    },
    codeVerifier: () => verifier,
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    saveDiscoveryState: (state) => {
      discovered = state;
    },
    discoveryState: () => discovered as never,
    redirectToAuthorization: (url) => {
      saved.authorization = url;
    },
    saved,
  };
}

/** The page of a client to which the provider sends the browser back. */
export interface Callback {
  readonly url: string;
  /** The parameters of the answer of the provider. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

export async function callback(): Promise<Callback> {
  let answered: (parameters: URLSearchParams) => void;
  const answer = new Promise<URLSearchParams>((resolve) => (answered = resolve));
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    response.end('You may close this window.');
    if (pathname === '/callback') answered(searchParams);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    answer,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A person logs in and consents, on the pages of oidc-provider. */
export async function logIn(page: Page, url: URL, person: string): Promise<void> {
  await page.goto(url.href);
  await page.fill('input[name=login]', person);
  await page.fill('input[name=password]', 'secret');
  await page.click('button[type=submit]');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('You may close this window.').waitFor();
}
