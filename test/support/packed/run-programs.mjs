// Imports programs one after another in one process, so Nest is loaded once. The last line on
// stdout is JSON: the error of each program, or 'ran'.
import { inspect } from 'node:util';

const ends = [];
for (const program of process.argv.slice(2)) {
  ends.push(await import(program).then(() => 'ran', inspect));
}
process.stdout.write(`\n${JSON.stringify(ends)}`, () => process.exit());
