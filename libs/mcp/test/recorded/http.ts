// Sends the steps of a case, each on a connection of its own, and describes the responses.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { until } from '../../../../test/support/until.js';
import { type HttpCase, ONE_SESSION, type Step } from './exchanges.js';
import { Names } from './record.js';

/** A response after this time is recorded as hung. */
const HANG_MS = 60_000;
/** Headers that say nothing about the protocol. */
const IGNORED =
  'date connection keep-alive transfer-encoding content-length x-powered-by etag vary'.split(' ');

/** One request and what arrived of its response. */
class Exchange {
  readonly sent: ClientRequest;
  response: IncomingMessage | undefined;
  end: 'ended' | 'cut' | 'hung' | 'left' | undefined;
  private text = '';
  private changed: () => void = () => undefined;
  private readonly timer = setTimeout(() => this.finish('hung'), HANG_MS);

  constructor(
    url: string,
    private readonly step: Step,
    names: Names,
  ) {
    const { method, path, headers, body } = step;
    const filled = Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, [value].flat().map((each) => names.fill(each))] as const];
    });
    const single = filled.map(([name, values]) => [name, values.length > 1 ? values : values[0]]);
    const options = { method, agent: false, headers: Object.fromEntries(single) as never };
    // Not `new URL()`, which would change the path.
    const { hostname, port } = new URL(url);
    this.sent = request({ hostname, port, path, ...options }, (response) => {
      this.response = response;
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        this.text += chunk;
        this.changed();
      });
      response.once('end', () => this.finish('ended'));
      response.on('error', () => this.finish('cut'));
      this.changed();
    });
    this.sent.on('error', () => this.finish('cut'));
    this.sent.end(body === undefined ? undefined : names.fill(body));
  }

  /** Waits for a number of events, or for the end of a response that has fewer. */
  async read(count = Infinity): Promise<void> {
    while (!this.end && !(this.response && this.isStream && this.events().length >= count)) {
      await new Promise<void>((resolve) => (this.changed = resolve));
    }
  }

  /** Waits for what is recorded, and closes the connection. */
  async finished(): Promise<void> {
    await this.read(this.step.events);
    this.finish('left');
    this.sent.destroy();
  }

  includes(text: string): boolean {
    return this.text.includes(text);
  }

  /** Gives names to random values of the response. */
  name(names: Names): void {
    const session = this.response?.headers['mcp-session-id'];
    if (typeof session === 'string') names.learn('session', session);
    for (const { id, data } of this.isStream ? this.events() : [{ id: '', data: this.body }]) {
      if (id) names.learn('event', id);
      names.read(data);
    }
  }

  describe(): object {
    const { response, end, step } = this;
    const headers = Object.entries(response?.headers ?? {}).filter(
      ([name]) => !IGNORED.includes(name),
    );
    const events = this.isStream ? this.events().slice(0, step.events) : undefined;
    const isShort = step.events !== undefined && (events?.length ?? Infinity) < step.events;
    return {
      status: response?.statusCode ?? null,
      headers: Object.fromEntries(
        headers.map(([name, value]) => [name, name === 'retry-after' ? '<n>' : value]),
      ),
      ...(events ? { events } : { body: this.body }),
      ...((isShort || end === 'cut' || end === 'hung') && { end }),
    };
  }

  private finish(end: Exchange['end']): void {
    this.end ??= end;
    clearTimeout(this.timer);
    this.changed();
  }

  private get isStream(): boolean {
    return this.response?.headers['content-type']?.startsWith('text/event-stream') ?? false;
  }

  private get body(): unknown {
    return parsed(this.text);
  }

  private events(): { readonly id?: string; readonly data?: unknown }[] {
    const whole = this.text.split('\n\n').slice(0, -1);
    const fields = whole.map((event) =>
      event.split('\n').flatMap((line) => {
        const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, name === 'data' ? parsed(value) : value] as const];
      }),
    );
    return fields.filter(({ length }) => length > 0).map((each) => Object.fromEntries(each));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Runs a case. Returns a line of JSON for each step. */
export async function runCase(url: string, { open, steps }: HttpCase): Promise<readonly string[]> {
  const names = new Names();
  names.learn('url', url);
  const sessions = new Set<string>();
  const send = async (step: Step): Promise<Exchange> => {
    const exchange = new Exchange(url, step, names);
    if (step.background === undefined) await exchange.finished();
    else await exchange.read(step.background);
    exchange.name(names);
    const opened = exchange.response?.headers['mcp-session-id'];
    if (typeof opened === 'string' && step.path === ONE_SESSION) sessions.add(opened);
    return exchange;
  };
  if (open) await send(open);
  const exchanges: Exchange[] = [];
  for (const step of steps) {
    let exchange = await send(step);
    const { until: text } = step;
    if (text !== undefined) {
      await until(async () => exchange.includes(text) || ((exchange = await send(step)), false));
    }
    exchanges.push(exchange);
  }
  for (const exchange of exchanges) {
    await exchange.finished();
    exchange.name(names);
  }
  const responses = exchanges.map((exchange) => names.json(exchange.describe()));
  for (const session of sessions) {
    await send({ method: 'DELETE', path: ONE_SESSION, headers: { 'mcp-session-id': session } });
  }
  return responses;
}
