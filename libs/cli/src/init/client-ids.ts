import { BadOptionError } from '../cli.errors.js';

// Names of the clients that `mcp init` can configure. Imports no parsers, because every command loads
// this file for `--help`.

/** The values of `--client`. The first one is the default of `mcp init`. */
export const CLIENT_IDS = [
  'claude-code',
  'cursor',
  'vscode',
  'gemini',
  'codex',
  'windsurf',
  'goose',
  'zed',
] as const;

export type ClientId = (typeof CLIENT_IDS)[number];

/** Parses a value of `--client`: one id, or several separated by commas. */
export function clientIds(value: string, before: readonly ClientId[] = []): ClientId[] {
  const ids = value.split(',').map((id) => id.trim());
  return [...new Set([...before, ...ids.map(clientId)])];
}

function clientId(id: string): ClientId {
  const known = CLIENT_IDS.find((each) => each === id);
  if (known !== undefined) return known;
  throw new BadOptionError('--client', id, `one or more of ${CLIENT_IDS.join(', ')}`);
}
