/**
 * The parsed text of a configuration file. An edit returns a new text. Everything else in the text
 * stays the same.
 */
export interface ConfigText {
  /** Returns the value at a path. Returns undefined if there is none. */
  find(path: readonly string[]): Found | undefined;
  /**
   * Sets a value in an object. Creates missing parent objects. In JSON, this method can also append
   * an element to an array.
   * @returns the whole new text
   */
  set(path: readonly string[], value: object): string;
}

interface Found {
  readonly value: unknown;
  /** The line number, starting at 1. */
  readonly line: number;
}

/**
 * Parses the text of a file.
 * @param file the file name for messages
 * @throws CliError with file and line if the text is not valid
 */
export type OpenConfig = (file: string, text: string) => ConfigText;

/** Returns the line number of an offset, starting at 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** If all lines of `like` end with CRLF, converts the line ends of `text` to CRLF. */
export function withLineEndsOf(like: string, text: string): string {
  const isWindows = /\r\n/.test(like) && !/(^|[^\r])\n/.test(like);
  return isWindows ? text.replace(/\r?\n/g, '\r\n') : text;
}
