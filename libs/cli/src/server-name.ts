/** A name with the characters that Claude Code and Codex accept. They reject a configuration with others. */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'app';
}
