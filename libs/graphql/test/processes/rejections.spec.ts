// Runs the built package in a separate process: the fault would end Jest too.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { query } from '../support/requests.js';
import { hangUp, Wire } from '../support/sockets.js';

const PROGRAM = fileURLToPath(new URL('../hostile/rejections.mjs', import.meta.url));
const LISTS = ['{ numbers }', '{ thrown { id } }', '{ items { id } }'];

describe.each(platforms)('a list that fails twice on $name', ({ name }) => {
  let child: ChildProcessWithoutNullStreams;
  let url: string;
  let errors = '';
  beforeAll(async () => {
    child = spawn(process.execPath, ['--no-warnings', PROGRAM, name]);
    child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
    [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  });
  afterAll(() => {
    hangUp();
    child.kill('SIGKILL');
  });

  it('ends its field, not the process', async () => {
    for (const path of ['/graphql', '/yoga']) {
      for (let run = 0; run < 3; run += 1) {
        for (const list of LISTS) {
          const { body } = await query(url + path, list);
          expect(Object.values(body.data as object)).toEqual([null]);
        }
      }
      expect((await query(url + path, '{ rejected }')).body.data.rejected).toBeGreaterThan(0);
    }
    const wire = await Wire.connect(`${url}/graphql`);
    for (const [id, list] of LISTS.entries()) {
      wire.subscribe(`${id}`, list);
      expect(Object.values((await wire.events(`${id}`, 1))[0] as object)).toEqual([null]);
    }
    wire.subscribe('last', '{ rejected }');
    // Each of the 21 operations before had an item that failed later.
    expect(await wire.events('last', 1)).toEqual([{ rejected: 21 }]);
    expect([child.exitCode, errors]).toEqual([null, '']);
  });

  // Last, because it ends the process.
  it('leaves other rejections without a handler to Node.js', async () => {
    const exited = once(child, 'exit');
    await query(`${url}/graphql`, '{ foreign }').catch(() => undefined);
    expect((await exited)[0]).toBe(1);
    expect(errors).toContain('of the application');
  });
});
