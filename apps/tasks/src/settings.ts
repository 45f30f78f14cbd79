import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** Settings, read from environment variables. */
export interface Settings {
  /**
   * `PORT`; 0 uses any free port.
   * @default 3000
   */
  readonly port: number;
  /**
   * `TASKS_DATA`: a folder, or `memory://` to store nothing.
   * @default `.data` of this app
   */
  readonly dataFolder: string;
  /**
   * `TASKS_PLATFORM`.
   * @default 'express'
   */
  readonly platform: 'express' | 'fastify';
  /**
   * `CURSOR_SECRET`: set the same secret on every server.
   * @default a new secret at each start, which invalidates older cursors
   */
  readonly cursorSecret: string;
}

const DEFAULT_DATA_FOLDER = fileURLToPath(new URL('../.data', import.meta.url));

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {
    port: portOf(env['PORT'] || '3000'),
    dataFolder: env['TASKS_DATA'] || DEFAULT_DATA_FOLDER,
    platform: platformOf(env['TASKS_PLATFORM'] || 'express'),
    cursorSecret: env['CURSOR_SECRET'] || randomBytes(32).toString('hex'),
  };
}

// Node would use `PORT=abc` as the name of a pipe.
function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`PORT is "${text}". Set it to a number from 0 to 65535.`);
}

function platformOf(text: string): Settings['platform'] {
  if (text === 'express' || text === 'fastify') return text;
  throw new Error(`TASKS_PLATFORM is "${text}". Set it to "express" or "fastify".`);
}
