export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- tests expect different shapes
}

/** Sends a request. Returns status, media type and body, parsed if it is JSON. */
export async function call(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';')[0];
  return { status: response.status, type, body: type?.endsWith('json') ? JSON.parse(text) : text };
}

/** Sends an operation as GraphQL clients do. */
export function query(
  url: string,
  operation: string,
  headers: Record<string, string> = {},
  variables?: object,
  more: object = {},
): Promise<Answer> {
  return call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: operation, variables, ...more }),
  });
}
