import { type ClientMessage, clientMessageOf, isTooDeep } from '../protocol/json-rpc.js';
import {
  BATCH_REFUSED,
  INVALID_JSON,
  INVALID_MESSAGE,
  type Refusal,
  TOO_DEEP,
} from '../protocol/refusals.js';

/** Maximum length of a line in bytes. */
export const LONGEST_LINE = 10_485_760;

export class StdioLines {
  private rest: Buffer = Buffer.alloc(0);
  private isFirst = true;

  /** @returns undefined if a line is too long. Then the start of the next line is unknown */
  read(chunk: Buffer): readonly string[] | undefined {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const end = bytes.lastIndexOf('\n') + 1;
    this.rest = bytes.subarray(end);
    if (this.rest.length > LONGEST_LINE) return undefined;
    if (end === 0) return [];
    const text = bytes.toString('utf8', 0, end);
    const lines = (this.isFirst ? text.replace(/^\ufeff/, '') : text).split('\n');
    this.isFirst = false;
    return lines.filter((line) => line.trim() !== '');
  }
}

/** If the line contains no valid message, returns the same refusal as over HTTP. */
export function messageIn(line: string): ClientMessage | Refusal {
  if (isTooDeep(line)) return TOO_DEEP;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return INVALID_JSON;
  }
  if (Array.isArray(value)) return BATCH_REFUSED;
  return clientMessageOf(value) ?? INVALID_MESSAGE;
}
