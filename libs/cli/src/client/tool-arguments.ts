import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { readJsonObject } from '../json.js';

const CURE =
  'Pass an object, such as --args \'{"id":1}\', or --args - to read the object from stdin.';

/**
 * Reads the tool arguments from `--args`, or from stdin if the value is `-`.
 * @throws BadJsonError if the arguments are not a JSON object
 */
export async function toolArguments(
  option: string | undefined,
  stdin: Readable,
): Promise<Record<string, unknown>> {
  if (option === undefined) return {};
  if (option !== '-') return readJsonObject('--args', option, CURE);
  return readJsonObject('--args - (stdin)', await text(stdin), CURE);
}
