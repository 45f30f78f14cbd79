import { endpointUrl } from './endpoint.js';
import type { Answer, Headers, Operation } from './operation.js';

/**
 * Sends a query or mutation over HTTP.
 * @throws TypeError from the browser if the request fails or HTTP does not allow a header
 */
export async function send(
  operation: Operation,
  headers: Headers,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await fetch(endpointUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json;q=0.9',
      ...headers,
    },
    body: JSON.stringify(operation),
    ...(signal && { signal }),
  });
  return { status: response.status, text: await response.text() };
}
