// Bundles the modules of a program for browsers. Argument: the entry file. Prints { code, imports,
// modules } as JSON. This runs in its own process, because rolldown does not accept values that
// were created inside Jest.
import { rolldown } from 'rolldown';

const bundle = await rolldown({
  input: process.argv[2],
  platform: 'browser',
  onLog: () => undefined,
});
const { output } = await bundle.generate({ format: 'esm' });
const [{ code, imports, moduleIds: modules }] = output;
process.stdout.write(JSON.stringify({ code, imports, modules }));
