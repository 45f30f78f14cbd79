#!/usr/bin/env node
import { oldNodeText } from './node-version.js';

// `fledge mcp list | head` closes the pipe early. This is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const tooOld = oldNodeText(process.versions.node);
if (tooOld !== undefined) {
  process.stderr.write(tooOld);
  process.exit(3);
}
// Older versions of Node.js cannot load program.js. A static import would load program.js before
// the version is checked.
const { run } = await import('./program.js');
process.exitCode = await run(process.argv);
