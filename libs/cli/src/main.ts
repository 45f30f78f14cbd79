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
// A static import would load this file before the check of the Node.js version, and old versions
// cannot load it.
const { run } = await import('./program.js');
process.exitCode = await run(process.argv);
