// Runs the built package in separate processes: a crash would end Jest too.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { lineReader } from '../../../../test/support/processes.js';
import { Wire } from '../support/sockets.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

const at = (file: string) => fileURLToPath(new URL(`../hostile/${file}`, import.meta.url));

describe.each(platforms)('a process on $name', ({ name }) => {
  it('with a heap of 192 MB survives documents of many nodes', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--max-old-space-size=192', '--no-warnings', at('documents.mjs'), name],
      { timeout: LONGEST_WAIT_MS },
    );
    expect(stdout).toBe('alive');
  });

  describe('that serves subscriptions', () => {
    let child: ChildProcessWithoutNullStreams;
    let line: () => Promise<string>;
    let url: string;
    beforeAll(async () => {
      child = spawn(process.execPath, ['--no-warnings', at('eager.mjs'), name]);
      line = lineReader(child);
      url = await line();
    });
    afterAll(() => void child.kill('SIGKILL'));

    it.each([
      ['vanish', (wire: Wire) => wire.vanish()],
      ['close', (wire: Wire) => wire.socket.close()],
      ['complete', (wire: Wire) => wire.complete('1')],
      ['stop reading, and vanish', (wire: Wire) => (wire.socket.pause(), wire.vanish())],
    ])('goes on when subscribers of a source that never waits %s', async (_how, leave) => {
      const wires = await Promise.all([1, 2, 3].map(() => Wire.connect(url)));
      for (const wire of wires) wire.subscribe('1', 'subscription { eager }');
      await Promise.all(wires.map((wire) => wire.events('1', 200)));
      wires.forEach(leave);
      // Answers only while the event loop turns.
      let running: string;
      do {
        child.stdin.write('\n');
        running = await line();
      } while (running !== '0');
    });

    it('closes after such subscribers', async () => {
      child.stdin.end();
      expect(await line()).toBe('closed');
    });
  });
});
