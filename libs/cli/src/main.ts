#!/usr/bin/env node
import { run } from './program.js';

// `fledge mcp list | head` is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await run(process.argv);
