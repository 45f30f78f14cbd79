import { BadOptionError } from '../cli.errors.js';

// In a file without imports of parsers, because each command reads it for --help.

/** The values of `--client`. Without it, `mcp init` sets up the first. */
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

/** Reads a value of `--client`: one id, or several with commas. */
export function clientIds(value: string, before: readonly ClientId[] = []): ClientId[] {
  const ids = value.split(',').map((id) => id.trim());
  return [...new Set([...before, ...ids.map(clientId)])];
}

function clientId(id: string): ClientId {
  const known = CLIENT_IDS.find((each) => each === id);
  if (known !== undefined) return known;
  throw new BadOptionError('--client', id, `one or more of ${CLIENT_IDS.join(', ')}`);
}
