/** What a client says over plain HTTP: for behaviour no well-behaved client can show. */
export interface Wire {
  readonly url: string;
  post(message: unknown, headers?: Record<string, string | undefined>): Promise<WireAnswer>;
  send(method: string, headers?: Record<string, string | undefined>): Promise<WireAnswer>;
  /** Opens a session and returns its id. */
  initialize(headers?: Record<string, string>): Promise<string>;
}

interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON-RPC message of the answer, out of the event stream where it came in one. */
  readonly message: {
    id?: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; message: string };
  };
  readonly text: string;
}

type Fetch = (url: string, options?: RequestInit) => Promise<Response>;

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'wire', version: '1.0.0' },
  },
};

/** @param send may abort the requests */
export function wire(url: string, send: Fetch = fetch): Wire {
  async function request(method: string, headers: Headers, body?: string): Promise<WireAnswer> {
    const answer = await send(url, { method, headers, ...(body !== undefined && { body }) });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, message: messageIn(text) };
  }

  return {
    url,
    post: (message, headers = {}) =>
      request(
        'POST',
        merged({ ...HEADERS, ...headers }),
        typeof message === 'string' ? message : JSON.stringify(message),
      ),
    send: (method, headers = {}) => request(method, merged(headers)),
    async initialize(headers = {}) {
      const { status, text, headers: answered } = await this.post(INITIALIZE, headers);
      const id = answered.get('mcp-session-id');
      if (id === null) throw new Error(`${status} ${text}`);
      return id;
    },
  };
}

function merged(headers: Record<string, string | undefined>): Headers {
  return new Headers(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function messageIn(text: string): WireAnswer['message'] {
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(json) as WireAnswer['message'];
  } catch {
    return {};
  }
}
