// Joins the modules of a program for browsers. Argument: its entry. Prints { code, imports, modules } as JSON.
// A process of its own: inside of Jest, rolldown does not take values for its own.
import { rolldown } from 'rolldown';

const bundle = await rolldown({
  input: process.argv[2],
  platform: 'browser',
  onLog: () => undefined,
});
const { output } = await bundle.generate({ format: 'esm' });
const [{ code, imports, moduleIds: modules }] = output;
process.stdout.write(JSON.stringify({ code, imports, modules }));
