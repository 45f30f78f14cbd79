#!/usr/bin/env node
import { oldNodeText } from './node-version.js';

// `fledge mcp list | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const tooOld = oldNodeText(process.versions.node);
if (tooOld !== undefined) {
  process.stderr.write(tooOld);
  process.exit(3);
}
// Imported here: the programs below need newer versions of Node.js to load.
const { run } = await import('./program.js');
process.exitCode = await run(process.argv);
