// Formats text that scripts generate, in the same way as `npm run format`.
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';

const options = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'));

/** @param file a file name, whose extension determines the language */
export async function formatText(file, text) {
  const { code, errors } = await format(file, text, options);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}
