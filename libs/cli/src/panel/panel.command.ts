import { AnswerTimeoutError, ServerUnreachableError, UnauthorizedError } from '../cli.errors.js';
import { isObject } from '../json.js';
import { jsonText, printable, terminalOf } from '../output/terminal.js';

export interface PanelOptions {
  readonly json?: true;
  /** URL of the application or of its panel. */
  readonly http: string;
  readonly token?: string;
  /** Seconds to wait for a response. */
  readonly timeout: number;
}

/**
 * Prints the state of a running application. The panel shows the same state. With `--json`, prints
 * the whole state; otherwise, prints only counts.
 */
export async function panel(options: PanelOptions): Promise<void> {
  const url = stateUrl(options.http);
  const state = await stateAt(url, options);
  const text = options.json
    ? jsonText(state, 2)
    : `${printable(terminalOf(process.stdout), summaryOf(state, new URL('..', url).href))}\n`;
  process.stdout.write(text);
}

/**
 * Returns the URL of the panel's state. `http://localhost:3000` and
 * `http://localhost:3000/_fledge/` give the same URL.
 */
function stateUrl(given: string): string {
  const base = given.replace(/\/+$/, '');
  return `${base.endsWith('/_fledge') ? base : `${base}/_fledge`}/api/state`;
}

interface Places {
  readonly open: number;
  readonly max?: number;
}

/** The fields of the panel's `PanelState` that the summary shows. */
interface State {
  readonly app: {
    readonly name: string;
    readonly counts: Readonly<Record<string, number | Places | undefined>>;
  };
}

async function stateAt(url: string, { token, timeout }: PanelOptions): Promise<State> {
  const read = async () => {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(timeout * 1_000),
    });
    return { response, text: await response.text() };
  };
  const { response, text } = await read().catch((error: Error) => {
    if (error.name === 'TimeoutError') throw new AnswerTimeoutError(url, timeout);
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new ServerUnreachableError(
      `${url} cannot be reached: ${message}. Check that the application is running and that the URL is correct.`,
    );
  });
  const body = jsonIn(text);
  if (response.ok && isState(body)) return body;
  throw failureOf(url, response.status, body);
}

function failureOf(url: string, status: number, body: unknown): Error {
  const { message } = (body ?? {}) as { message?: unknown };
  const said = typeof message === 'string' ? ` ${message}` : '';
  if (status === 401 || status === 403) {
    return new UnauthorizedError(`${url} rejected the request with HTTP ${status}.${said}`);
  }
  return new ServerUnreachableError(
    `${url} responded with HTTP ${status} and is not a panel.${said} Import PanelModule.forRoot() of @fledge/panel. ` +
      'If the application has a global prefix, add the prefix to --http. In production, the panel requires the option `authorize`.',
  );
}

function summaryOf({ app: { name, counts } }: State, url: string): string {
  const { sessions, ...others } = counts;
  const { open, max } = (sessions ?? {}) as Partial<Places>;
  const lines = Object.entries(others).map(([what, count]) => `${what}\t${count as number}`);
  if (open !== undefined) lines.push(`sessions\t${open}${max === undefined ? '' : ` of ${max}`}`);
  return [`${name}\t${url}`, ...lines].join('\n');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isState(body: unknown): body is State {
  return isObject(body) && isObject(body['app']) && isObject(body['app']['counts']);
}
