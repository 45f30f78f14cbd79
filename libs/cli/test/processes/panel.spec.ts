// `fledge panel` of the built command, against running applications.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fledge, type Served, serve } from '../support/fledge.js';

describe.each(['express', 'fastify'])('fledge panel on %s', (PLATFORM) => {
  let server: Served;
  beforeAll(async () => {
    server = await serve('panel', { PLATFORM, TOKEN: 'secret' });
  });
  afterAll(() => server.stop());

  const run = (...args: string[]) =>
    fledge(['panel', ...args], { env: { FLEDGE_MCP_TOKEN: 'secret' } });

  it('prints the state behind every view', async () => {
    const { code, out, err } = await run('--json', '--http', `${server.url}/api`);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual(
      await (
        await fetch(`${server.url}/api/_fledge/api/state`, {
          headers: { authorization: 'Bearer secret' },
        })
      )
        .json()
        .then((state: object) => ({ ...state, snapshots: expect.anything() })),
    );
    const shown = await run('--http', `${server.url}/api/_fledge/`);
    expect(shown.out).toBe(
      `panelled\t${server.url}/api/_fledge/\n` +
        'tools\t0\nfindings\t0\nresources\t0\ncalls\t0\nsnapshots\t2\nsnapshotErrors\t0\nsessions\t0 of 1\n',
    );
  });

  it('says what is wrong, and exits with 3', async () => {
    const refused = await run('--http', `${server.url}/api`, '--token', 'wrong');
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('[CLI_UNAUTHORIZED]') });
    const elsewhere = await run('--http', server.url);
    expect(elsewhere).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /HTTP 404, but is no panel\..*PanelModule.*CLI_SERVER_UNREACHABLE/s,
      ),
    });
    const nobody = await run('--http', 'http://127.0.0.1:1');
    expect(nobody).toMatchObject({ code: 3, err: expect.stringContaining('cannot be reached') });
  });
});
