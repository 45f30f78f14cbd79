import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

/** What the load says to a server: the same for every connection but the session it belongs to. */
export interface Target {
  readonly name: string;
  readonly server: Server;
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text every good answer contains. */
  readonly expect: string;
  /** MCP sessions to spread over the connections, where the target needs them. */
  readonly sessions?: readonly string[];
}

export interface Measurement {
  /** Server CPU time, user and system, in microseconds per request. */
  readonly cpuMicros: number;
  readonly perSecond: number;
}

/** A server in a process of its own, so that its CPU time is its own. */
export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(file: string, ...args: string[]): Promise<Server> {
    const path = fileURLToPath(new URL(`./servers/${file}.js`, import.meta.url));
    const child = fork(path, args, { execArgv: ['--expose-gc'] });
    const { port } = await next<{ port: number }>(child);
    return new Server(child, `http://127.0.0.1:${port}`);
  }

  async usage(): Promise<{ cpu: number; heap: number }> {
    const answer = next<{ cpu: number; heap: number }>(this.child);
    this.child.send('usage');
    return answer;
  }

  stop(): void {
    this.child.kill();
  }
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`Server ended with code ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

/**
 * Ten keep-alive connections for some seconds.
 * @throws when one answer was not as expected: a benchmark of errors is none
 */
export async function measure(target: Target, seconds: number): Promise<Measurement> {
  const { server, path, body, headers, sessions } = target;
  let connection = 0;
  let wrong: string | undefined;
  const before = await server.usage();
  const result = await autocannon({
    url: server.url + path,
    method: 'POST',
    headers,
    body,
    connections: 10,
    duration: seconds,
    setupClient(client) {
      const session = sessions?.[connection++ % sessions.length];
      if (session !== undefined) client.setHeaders({ ...headers, 'mcp-session-id': session });
    },
    verifyBody(answer) {
      const good = String(answer).includes(target.expect);
      if (!good) wrong ??= String(answer);
      return good;
    },
  });
  const after = await server.usage();
  const requests = result['2xx'];
  if (result.errors + result.non2xx + result.mismatches > 0) {
    throw new Error(`${target.name}: ${result.errors} errors, ${result.non2xx} refused; ${wrong}`);
  }
  return { cpuMicros: (after.cpu - before.cpu) / requests, perSecond: requests / result.duration };
}
