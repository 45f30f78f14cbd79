// `fledge panel` against running applications, in the process of the test.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule } from '@fledge/mcp';
import { PanelModule } from '@fledge/panel';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { fledgeHere } from './support/fledge-here.js';

describe.each(platforms)('fledge panel on $name', (platform) => {
  let origin: string;
  beforeAll(async () => {
    const authorize = ({ headers }: IncomingMessage) => headers.authorization === 'Bearer secret';
    const imports = [
      McpModule.forRoot({ name: 'panelled', version: '1.0.0' }),
      PanelModule.forRoot({ authorize }),
    ];
    ({ url: origin } = await serve({ imports }, platform, (app) => app.setGlobalPrefix('api')));
  });
  afterAll(closeAll);

  const run = (...args: string[]) => fledgeHere(['panel', ...args], 'secret');

  it('prints the state behind every view', async () => {
    const { code, out, err } = await run('--json', '--http', `${origin}/api`);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual(
      await (
        await fetch(`${origin}/api/_fledge/api/state`, {
          headers: { authorization: 'Bearer secret' },
        })
      )
        .json()
        .then((state: object) => ({ ...state, snapshots: expect.anything() })),
    );
    const shown = await run('--http', `${origin}/api/_fledge/`);
    expect(shown.out).toBe(
      `panelled\t${origin}/api/_fledge/\n` +
        'tools\t0\nfindings\t0\nresources\t0\ncalls\t0\nsnapshots\t2\nsnapshotErrors\t0\nsessions\t0 of 1\n',
    );
  });

  it('says what is wrong, and exits with 3', async () => {
    const refused = await run('--http', `${origin}/api`, '--token', 'wrong');
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('[CLI_UNAUTHORIZED]') });
    const elsewhere = await run('--http', origin);
    expect(elsewhere).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /HTTP 404 and is not a panel\..*PanelModule.*CLI_SERVER_UNREACHABLE/s,
      ),
    });
    const nobody = await run('--http', 'http://127.0.0.1:1');
    expect(nobody).toMatchObject({ code: 3, err: expect.stringContaining('cannot be reached') });
  });
});

describe('fledge panel against a hostile server', () => {
  let server: Server;
  afterEach(() => server.close().closeAllConnections());

  it.each<[string, RequestListener, RegExp]>([
    [
      'stalls after the head',
      (_, response) => response.flushHeaders(),
      /within 0.3 s.*CLI_TIMEOUT/s,
    ],
    [
      'closes the connection in the body',
      (_, response) => response.write('{', () => response.destroy()),
      /cannot be reached.*CLI_SERVER_UNREACHABLE/s,
    ],
    [
      'has other JSON',
      (_, response) => response.end('{"app":{},"snapshots":{}}'),
      /is not a panel.*CLI_SERVER_UNREACHABLE/s,
    ],
    [
      'has null',
      (_, response) => response.end('{"app":null,"snapshots":null}'),
      /is not a panel.*CLI_SERVER_UNREACHABLE/s,
    ],
  ])('exits with 3 if it %s', async (_, listener, message) => {
    server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const { code, err } = await fledgeHere(['panel', '--http', url, '--timeout', '0.3']);
    expect([code, err]).toEqual([3, expect.stringMatching(message)]);
  });
});
