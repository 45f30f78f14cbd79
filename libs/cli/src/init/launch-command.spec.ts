import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { launchCommand } from './launch-command.js';

const MAIN = 'node_modules/@fledge/cli/dist/main.js';
const root = realpathSync(mkdtempSync(join(tmpdir(), 'fledge-launch-')));
const project = join(root, 'apps/shop');
mkdirSync(join(root, 'node_modules/@fledge/cli/dist'), { recursive: true });
mkdirSync(join(project, 'src'), { recursive: true });
for (const file of [MAIN, 'package.json', 'apps/shop/package.json']) {
  writeFileSync(join(root, file), '{}');
}
afterAll(() => rmSync(root, { recursive: true }));

const on = (platform: NodeJS.Platform, configFolder: string) =>
  launchCommand({ from: project, configFolder, platform });

describe('launchCommand', () => {
  it('uses npx, except on Windows', () => {
    const npx = { command: 'npx', args: ['--no', '@fledge/cli', 'mcp', 'start'] };
    expect(on('linux', project)).toEqual(npx);
    expect(on('darwin', project)).toEqual(npx);
    expect(on('win32', project)).toEqual({
      command: 'node',
      args: [`../../${MAIN}`, 'mcp', 'start'],
    });
  });

  it('has a path that works in both folders on Windows, where a client may start it', () => {
    expect(on('win32', join(project, 'src'))).toEqual({
      command: 'node',
      args: [join(root, MAIN), 'mcp', 'start'],
    });
  });

  it('starts from the root of the repository without npx on Windows', () => {
    expect(on('win32', root)).toEqual({
      command: 'node',
      args: [MAIN, 'mcp', 'start', '--project', 'apps/shop'],
    });
  });
});
