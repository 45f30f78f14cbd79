/**
 * Replaces the characters that Claude Code and Codex do not accept in a name. If a name contains
 * such a character, these clients reject the whole configuration.
 */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'app';
}
