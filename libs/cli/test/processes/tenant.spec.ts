// `fledge tenant` with an application that only exchanges messages.
import { describe, expect, it } from '@jest/globals';
import { fledgeHere } from '../support/fledge-here.js';
import { appFile } from '../support/fledge.js';

/** @param takes see the file of the application */
async function run(takes: string, ...args: string[]) {
  process.env['TAKES'] = takes;
  try {
    return await fledgeHere(['tenant', ...args, '--entry', appFile('command-app')]);
  } finally {
    delete process.env['TAKES'];
  }
}

describe('an application', () => {
  it('may listen on a port long before it takes the command', async () => {
    expect(await run('late', 'migrate')).toEqual({
      code: 0,
      out: 'eta\tmigrate\tskipped\t0\thalf-made\n',
      err: expect.stringContaining('1 tenant: 1 skipped.\n'),
    });
  });

  it('says what to run if the central database is not migrated', async () => {
    expect(await run('state', 'status', '--check')).toEqual({
      code: 1,
      out: '(central)\t\tnever\t\t\t\t\n',
      err: expect.stringContaining(
        'The central database or a tenant is not current. To migrate them: npx @fledge/cli tenant migrate\n',
      ),
    });
  });

  it('without TenantLifecycleModule is stopped', async () => {
    const { code, err } = await run('without', 'list');
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(
        /started, but has no TenantLifecycleModule\. Add TenantLifecycleModule\.forRoot\(\)[\s\S]*IT SERVES\s+\| Straße/,
      ),
    ]);
  });

  it('that never takes the command may be slow, or may lack the module', async () => {
    const { code, err } = await run('never', 'list', '--timeout', '1');
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(
        'did not take the command within 1 s. If the application needs more time, use --timeout 2. ' +
          'If it has no TenantLifecycleModule, add TenantLifecycleModule.forRoot()',
      ),
    ]);
  });
});
