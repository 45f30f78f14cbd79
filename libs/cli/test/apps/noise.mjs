// Prints in every way there is, while it is imported: a stand-in for somebody's dependency.
import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

console.log('by console');
process.stdout.write('by stdout\n');
writeSync(1, 'by descriptor\n');
execFileSync(process.execPath, ['-e', "console.log('by child process')"], { stdio: 'inherit' });
const worker = new Worker("require('fs').writeSync(1, 'by worker thread\\n')", { eval: true });
await once(worker, 'exit');
