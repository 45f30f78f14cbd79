import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a server process has used so far. */
export interface Usage {
  /** User and system time in microseconds. */
  readonly cpu: number;
  /** Bytes. */
  readonly heap: number;
}

/** A server in a process of its own, so that its CPU time and its heap are its own. */
export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** @param file of `servers/`, or a `.mjs` file of `others/` */
  static async start(file: string, ...args: string[]): Promise<Server> {
    const child = spawn(file, args);
    const { port } = await nextMessage<{ port: number }>(child);
    return new Server(child, `http://127.0.0.1:${port}`);
  }

  usage(): Promise<Usage> {
    return this.ask('usage');
  }

  /** Usage after a full garbage collection. */
  collected(): Promise<Usage> {
    return this.ask('collect');
  }

  stop(): void {
    this.child.kill();
  }

  private ask(question: 'usage' | 'collect'): Promise<Usage> {
    const answer = nextMessage<Usage>(this.child);
    this.child.send(question);
    return answer;
  }
}

/** Runs a file of `servers/` that sends one message and ends. */
export async function once<T>(file: string, ...args: string[]): Promise<T> {
  return nextMessage<T>(spawn(file, args));
}

function spawn(file: string, args: readonly string[]): ChildProcess {
  const place = file.endsWith('.mjs') ? `../others/${file}` : `./servers/${file}.js`;
  const path = fileURLToPath(new URL(place, import.meta.url));
  // FastMCP logs each request.
  const stdout = file.endsWith('.mjs') ? 'ignore' : 'inherit';
  const stdio = ['ignore', stdout, 'inherit', 'ipc'] as const;
  return fork(path, args, { execArgv: ['--expose-gc', '--no-warnings'], stdio: [...stdio] });
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`Server ended with code ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}
