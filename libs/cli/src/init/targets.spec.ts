import { describe, expect, it } from '@jest/globals';
import type { ClientId } from './client-ids.js';
import { homeFiles } from './home-files.js';
import { targetsOf } from './targets.js';

const HOME = '/home/ada';

const filesIn = (folder: string, ids?: readonly ClientId[], out?: string) =>
  targetsOf(ids, out, {
    current: folder,
    folder,
    homeFolder: HOME,
    home: homeFiles({ platform: 'linux', home: HOME, env: {} }),
    exists: () => true,
  }).map(({ file }) => file);

describe('targetsOf', () => {
  it('selects the clients of a project', () => {
    expect(filesIn('/home/ada/shop')).toEqual([
      '/home/ada/shop/.mcp.json',
      '/home/ada/shop/.cursor/mcp.json',
      '/home/ada/shop/.vscode/mcp.json',
      '/home/ada/shop/.gemini/settings.json',
      '/home/ada/shop/.codex/config.toml',
      '/home/ada/shop/.zed/settings.json',
    ]);
  });

  it('selects nothing in the home folder, unless a client or a file is named', () => {
    expect(() => filesIn(HOME)).toThrow(
      '--client must be set, because the project folder is your home folder.',
    );
    expect(filesIn(HOME, ['cursor'])).toEqual(['/home/ada/.cursor/mcp.json']);
    expect(filesIn(HOME, undefined, 'mcp.json')).toEqual(['/home/ada/mcp.json']);
  });
});
