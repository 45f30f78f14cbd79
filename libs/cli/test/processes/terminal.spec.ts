// The built command on a terminal, in a pipe that closes, under Ctrl-C, and its version.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { appFile, BIN, fledge, launch, onTerminal, serve } from '../support/fledge.js';

const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

describe('on a terminal', () => {
  const maybe = hasTerminal ? it : it.skip;
  // An escape is shown as ␛, a carriage return as ␍.
  const shown = async (args: string[], env: Record<string, string> = {}) => {
    const { code, out } = await onTerminal(args, { env });
    expect(code).toBe(0);
    return out.replaceAll('\u001b', '␛').replaceAll('\r\n', '\n').replaceAll('\r', '␍');
  };

  maybe('list is a colored table, and shows its progress', async () => {
    const args = ['mcp', 'list', '--entry', appFile('noisy')];
    const out = await shown(args);
    expect(out).toContain('␛[1mTool');
    expect(out).toContain('␛[36mnoisy_echo');
    expect(out).toMatch(/^␍␛\[K␛\[2mStarting .*noisy\.mjs \.\.\./);
    const plain = await shown(args, { NO_COLOR: '1' });
    expect(plain).toMatch(/^␍␛\[KStarting .*␍␛\[KTool /);
    expect(plain).not.toMatch(/␛\[\d+m/);
  });

  maybe('call shows progress on one line', async () => {
    const server = await serve('session-server');
    const out = await shown(['mcp', 'call', 'count', '--http', server.url]).finally(server.stop);
    for (const step of ['1/3 (33%)', '2/3 (66%)', '3/3 (100%)']) {
      expect(out).toContain(`␍␛[K␛[2mcount: ${step} counting`);
    }
    expect(out).toMatch(/␍␛\[Kcounted\n$/);
  });
});

describe('the exit of a command', () => {
  it('follows Ctrl-C at once, and ends the application', async () => {
    const args = ['mcp', 'call', 'noisy_slow', '--entry', appFile('noisy'), '--verbose'];
    const { child, printed, until, end } = launch(args);
    await until(/slow is under way/);
    child.kill('SIGINT');
    // The end means that no process has stderr open, so the application has ended too.
    expect(await end()).toEqual({ code: 130, signal: null });
    expect(printed.err).toContain('fledge: Interrupted. [CLI_INTERRUPTED]');
  });

  it('follows silently when the reader of stdout has gone', async () => {
    const line = `"${process.execPath}" "${BIN}" mcp list --json --entry "${appFile('noisy')}" | true; echo "\${PIPESTATUS[0]}"`;
    const shell = spawn('bash', ['-c', line]);
    let out = '';
    let err = '';
    shell.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
    shell.stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
    await once(shell, 'close');
    expect([out, err]).toEqual(['0\n', '']);
  });
});

it('--version prints the version of the package', async () => {
  expect((await fledge(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
