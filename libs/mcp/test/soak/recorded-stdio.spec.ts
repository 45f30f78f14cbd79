// Unusual messages over stdio, whose responses must stay as recorded in recorded/stdio.json. A case that is meant to
// change is recorded again by `RECORD_MCP=1 npm run test:soak -- libs/mcp/test/soak/recorded-stdio.spec.ts`.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { lineReader } from '../../../../test/support/processes.js';
import { initializing } from '../recorded/exchanges.js';
import {
  call,
  type Members,
  messagesIn,
  request,
  type Revision,
  textOf,
} from '../recorded/messages.js';
import { Names, Recording, RECORDS } from '../recorded/record.js';

const APP = fileURLToPath(new URL('../recorded/stdio.mjs', import.meta.url));
const [OLD, NEW] = ['2025-11-25', '2026-07-28'] as const;
type Child = ChildProcessByStdio<Writable, Readable, null>;
const recording = new Recording(new URL('../recorded/stdio.json', import.meta.url));

/** Messages with which a process starts. */
const FIRST: Readonly<Record<string, readonly (Members | string)[]>> = {
  'a ping': [request(OLD, 'ping')],
  'a call of 2025-11-25': [call(OLD, 'get', { id: 'a' }), initializing({})],
  'a notification': [{ jsonrpc: '2.0', method: 'notifications/initialized' }, request(OLD, 'ping')],
  'a response': [{ jsonrpc: '2.0', id: 1, result: {} }, request(OLD, 'ping')],
  'no JSON': ['odd', initializing({})],
  'no JSON-RPC': ['{}', initializing({})],
  'a byte order mark': [`\ufeff${textOf(initializing({}))}`],
  'initialize twice': [initializing({}), initializing({})],
  'initialize, then 2026-07-28': [initializing({}), call(NEW, 'get', { id: 'a' })],
  '2026-07-28, then initialize': [call(NEW, 'get', { id: 'a' }), initializing({})],
  'a line that is too long': [initializing({}), 'a'.repeat(10_485_761)],
  'an id twice at once': [call(NEW, 'settle'), call(NEW, 'settle')],
  'a call that is cancelled': [
    call(NEW, 'settle'),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ],
};

describe.each(['express', 'fastify'])('unusual messages over stdio on %s', (platform) => {
  const start = () => {
    const child = spawn(process.execPath, [APP, platform], { stdio: ['pipe', 'pipe', 'inherit'] });
    // The process may end before it has read everything.
    child.stdin.on('error', () => undefined);
    return child;
  };

  it('are answered as recorded', async () => {
    for (const [name, messages] of Object.entries(FIRST)) {
      const child = start();
      child.stdin.end(messages.map(lineOf).join(''));
      const lines = (await text(child.stdout)).trimEnd().split('\n');
      recording.add(platform, `first ${name}`, lines.map(readable));
    }
    for (const revision of [OLD, NEW]) {
      let connection = await Connection.open(start(), revision);
      // Its answer comes after the time-out of the tool, so in the middle of another case.
      const cases = messagesIn(revision).filter(({ text: line }) => !line.includes('"never"'));
      for (const each of cases) {
        const lines = await connection.send(each.text);
        recording.add(platform, each.name, lines.map(readable));
        if (connection.hasEnded) connection = await Connection.open(start(), revision);
      }
      connection.close();
    }
    if (!RECORDS) expect(recording.differences(platform).join('\n')).toBe('');
  });
});

afterAll(() => {
  if (RECORDS) recording.write();
});

/** A process that serves one client of a protocol version. */
class Connection {
  hasEnded = false;
  private readonly next: () => Promise<string>;

  private constructor(
    private readonly child: Child,
    private readonly revision: Revision,
  ) {
    this.next = lineReader(child);
  }

  static async open(child: Child, revision: Revision): Promise<Connection> {
    const connection = new Connection(child, revision);
    if (revision === OLD) child.stdin.write(lineOf(initializing({})));
    await connection.send('');
    return connection;
  }

  /** Sends a line. Returns the lines that answer it, also those after it was cancelled if it has no answer. */
  async send(line: string): Promise<readonly string[]> {
    const lines = await this.settle(line);
    if (line === '' || this.hasEnded || lines.some((each) => each.includes('"id":1'))) return lines;
    const params = { requestId: 1 };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    return [...lines, ...(await this.settle(textOf(cancelled)))];
  }

  close(): void {
    this.child.stdin.end();
  }

  /** Sends a line, and a call that is answered after it. */
  private async settle(line: string): Promise<readonly string[]> {
    this.child.stdin.write(
      `${line}\n${lineOf({ ...call(this.revision, 'settle'), id: 'settled' })}`,
    );
    const lines: string[] = [];
    for (;;) {
      const answer = await this.next().catch(() => undefined);
      this.hasEnded = answer === undefined;
      if (answer === undefined) return [...lines, '"the process ended"'];
      if ((JSON.parse(answer) as { id?: unknown }).id === 'settled') return lines;
      lines.push(answer);
    }
  }
}

function lineOf(message: Members | string): string {
  return `${typeof message === 'string' ? message : textOf(message)}\n`;
}

/** A line as it is recorded. */
function readable(line: string): string {
  const names = new Names();
  const message: unknown = line === '' ? 'nothing' : JSON.parse(line);
  names.read(message);
  return names.json(message);
}
