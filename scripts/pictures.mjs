// Takes the pictures of the documentation from the demo, in light and dark.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(
  process.execPath,
  ['scripts/test.mjs', 'browsers', '--', 'test/browsers/pictures.spec.ts'],
  { stdio: 'inherit', env: { ...process.env, PICTURES: 'write' } },
);
process.exitCode = status ?? 1;
