// The help of the commands, and wrong usage, in the process of the test.
import { describe, expect, it } from '@jest/globals';
import { fledgeHere } from './support/fledge-here.js';

describe('--help', () => {
  it('documents the exit codes', async () => {
    for (const args of [['--help'], ['mcp', '--help'], ['mcp', 'call', '--help']]) {
      const { code, out } = await fledgeHere(args);
      expect(code).toBe(0);
      for (const exit of ['0    done', '1    the tool', '2    wrong', '3    the app', '130  int']) {
        expect(out).toContain(exit);
      }
    }
  });

  it.each([[['nope']], [['mcp', 'lst']], [['mcp', 'call']], [['panel', '--nope']]])(
    'is not needed to find the code of %j',
    async (args: string[]) => {
      const { err } = await fledgeHere(args);
      expect(err).toMatch(/^fledge: .* \[CLI_BAD_OPTION\]\nTry --help\.\n$/s);
    },
  );

  it.each([[[]], [['mcp']], [['nope']], [['mcp', 'lst']], [['mcp', 'call']]])(
    'is pointed to by %j, which ends with 2',
    async (args: string[]) => {
      const { code, out, err } = await fledgeHere(args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/--help/);
    },
  );
});

describe('fledge tenant', () => {
  it.each([
    [['migrate', '--tenants', ''], '--tenants is "", but must be'],
    [['status', '--tenants', ' , '], '--tenants is " , ", but must be'],
    [['migrate', '--canary', '-1'], '--canary is "-1", but must be'],
    [['seed', '--canary', ''], '--canary is "", but must be'],
  ])('refuses %j before the application starts', async (args, message) => {
    const { code, err } = await fledgeHere(['tenant', ...args, '--entry', 'never-started.js']);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
