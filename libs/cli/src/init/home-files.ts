import { posix, win32 } from 'node:path';

/** The facts that determine the path of a client's configuration file. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the absolute paths of the configuration files in the user's home, by client id. */
export function homeFiles({ platform, home, env }: Machine): Readonly<Record<string, string>> {
  const windows = platform === 'win32';
  const join = (...parts: string[]) => (windows ? win32 : posix).join(...parts);
  const appData = env['APPDATA'] || join(home, 'AppData', 'Roaming');
  const dotConfig = join(home, '.config');
  const config = env['XDG_CONFIG_HOME'] || dotConfig;
  return {
    codex: join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    windsurf: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    goose: windows
      ? join(appData, 'Block', 'goose', 'config', 'config.yaml')
      : join(config, 'goose', 'config.yaml'),
    zed: windows
      ? join(appData, 'Zed', 'settings.json')
      : join(platform === 'darwin' ? dotConfig : config, 'zed', 'settings.json'),
  };
}
