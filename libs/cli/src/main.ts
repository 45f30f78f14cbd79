#!/usr/bin/env node
import { run } from './program.js';

// `fledge mcp list | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await run(process.argv);
