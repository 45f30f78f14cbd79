/** The text of a configuration file, parsed. An edit returns a new text and keeps the rest of it. */
export interface ConfigText {
  /** Returns the value at a path. Undefined if there is none. */
  find(path: readonly string[]): Found | undefined;
  /**
   * Sets a value in an object, and makes the objects above it where they are missing. In JSON also adds the next
   * element of an array.
   * @returns the whole new text
   */
  set(path: readonly string[], value: object): string;
}

interface Found {
  readonly value: unknown;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * Parses the text of a file.
 * @param file the file in messages
 * @throws CliError naming file and line if it is not valid
 */
export type OpenConfig = (file: string, text: string) => ConfigText;

/** Returns the number of a line, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Gives a text the line ends of Windows if each line of another one has them. */
export function withLineEndsOf(like: string, text: string): string {
  const isWindows = /\r\n/.test(like) && !/(^|[^\r])\n/.test(like);
  return isWindows ? text.replace(/\r?\n/g, '\r\n') : text;
}
