#!/usr/bin/env node
import { oldNodeText } from './node-version.js';

// `fledge mcp list | head` closes the pipe early. This is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  ignoreClosedTerminal(error);
});
process.stderr.on('error', ignoreClosedTerminal);

const tooOld = oldNodeText(process.versions.node);
if (tooOld !== undefined) {
  process.stderr.write(tooOld);
  process.exit(3);
}
// Older versions of Node.js cannot load program.js. A static import would load program.js before
// the version is checked.
const { run } = await import('./program.js');
process.exitCode = await run(process.argv);

/** A command that still runs must finish. It receives SIGHUP. */
function ignoreClosedTerminal(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO' && error.code !== 'EPIPE') throw error;
}
