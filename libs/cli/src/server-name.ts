/**
 * Replaces the characters that Claude Code and Codex do not accept in a name. These clients reject
 * a configuration that has other characters in a name.
 */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'app';
}
