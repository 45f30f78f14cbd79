/** An HTTP request as the panel shows it. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A JSON body. Undefined if the request has no body. */
  readonly body?: string | undefined;
}

/** Returns the request as a curl command for a POSIX shell. */
export function curlOf({ method, url, headers, body }: ShownRequest): string {
  const implied = body === undefined ? 'GET' : 'POST';
  const verb = method === implied ? '' : `-X ${method} `;
  const lines = [`curl ${verb}${shellQuoted(url)}`];
  for (const [name, value] of headers) lines.push(`-H ${shellQuoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`--json ${shellQuoted(body)}`);
  return lines.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
