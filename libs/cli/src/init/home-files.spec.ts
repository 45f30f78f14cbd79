import { describe, expect, it } from '@jest/globals';
import { homeFiles, type Machine } from './home-files.js';

describe('homeFiles', () => {
  const unix = {
    codex: '/home/ada/.codex/config.toml',
    windsurf: '/home/ada/.codeium/windsurf/mcp_config.json',
    goose: '/home/ada/.config/goose/config.yaml',
    zed: '/home/ada/.config/zed/settings.json',
  };
  const env = { XDG_CONFIG_HOME: '/cfg', CODEX_HOME: '/codex' };

  it.each<[string, Machine, Record<string, string>]>([
    ['Linux', { platform: 'linux', home: '/home/ada', env: {} }, unix],
    ['macOS', { platform: 'darwin', home: '/home/ada', env: {} }, unix],
    [
      'Linux with folders of its own',
      { platform: 'linux', home: '/home/ada', env },
      {
        ...unix,
        codex: '/codex/config.toml',
        goose: '/cfg/goose/config.yaml',
        zed: '/cfg/zed/settings.json',
      },
    ],
    [
      'Windows',
      { platform: 'win32', home: 'C:\\Users\\ada', env: {} },
      {
        codex: 'C:\\Users\\ada\\.codex\\config.toml',
        windsurf: 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
        goose: 'C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
        zed: 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
      },
    ],
    [
      'Windows with APPDATA',
      { platform: 'win32', home: 'C:\\Users\\ada', env: { APPDATA: 'D:\\Data' } },
      {
        codex: 'C:\\Users\\ada\\.codex\\config.toml',
        windsurf: 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
        goose: 'D:\\Data\\Block\\goose\\config\\config.yaml',
        zed: 'D:\\Data\\Zed\\settings.json',
      },
    ],
  ])('on %s', (_, machine, files) => {
    expect(homeFiles(machine)).toEqual(files);
  });
});
