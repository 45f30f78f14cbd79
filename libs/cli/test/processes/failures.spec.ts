// Errors and exit codes of the built command.
import { describe, expect, it } from '@jest/globals';
import { appFile, fledge } from '../support/fledge.js';

describe('an application that fails', () => {
  it('is reported with its last output, also binary output', async () => {
    const args = ['mcp', 'list', '--entry', appFile('crashing')];
    const { code, out, err } = await fledge(args);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/crashing\.mjs could not be started\. Its last output: \[CLI_APP_/);
    expect(err).toMatch(/^ {2}\| Error: crashes at import$/m);
    const verbose = await fledge([...args, '--verbose']);
    expect(verbose.err).toMatch(/^Error: crashes at import$/m);
    expect(verbose.err.match(/crashes at import/g)).toHaveLength(1);
  });

  it('is ended if it does not answer', async () => {
    const args = ['mcp', 'list', '--entry', appFile('silent'), '--timeout', '1'];
    const { code, err } = await fledge(args);
    expect(code).toBe(3);
    expect(err).toMatch(/\| fledge: .*silent\.mjs did not serve MCP within 1 s/);
  });

  it('is reported if it exits while a tool runs', async () => {
    const { code, err } = await fledge(['mcp', 'call', 'noisy_end', '--entry', appFile('noisy')]);
    expect(code).toBe(3);
    expect(err).toMatch(/noisy\.mjs exited before it responded.*\[CLI_CONNECTION_LOST\]/);
    expect(err).toContain('  | ');
  });

  it('is reported if there is none', async () => {
    const { code, err } = await fledge(['mcp', 'list'], { cwd: '/' });
    expect([code, err]).toEqual([3, expect.stringContaining('[CLI_ENTRY_NOT_FOUND]')]);
  });
});

// Not in failures.spec.ts: the cause of an error of fetch is an error of another realm in Jest.
it('a server that does not run is reported', async () => {
  const { code, err } = await fledge(['mcp', 'list', '--http', 'http://127.0.0.1:2/']);
  expect(code).toBe(3);
  expect(err).toMatch(
    /127\.0\.0\.1:2\/ cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:2\. Check/,
  );
});

it('call fails after --timeout, counted from when the application serves, and ends the application', async () => {
  const args = ['mcp', 'call', 'noisy_slow', '--entry', appFile('noisy'), '--timeout', '0.2'];
  const { code, err } = await fledge(args);
  expect(code).toBe(3);
  expect(err).toMatch(/did not respond within 0\.2 s.*--timeout 0\.4\. \[CLI_TIMEOUT\]/);
});
