import { expect, it } from '@jest/globals';
import { packageManagerOf } from './package-manager.js';

it.each([
  [[], 'npm'],
  [['/repo/app/package-lock.json'], 'npm'],
  [['/repo/app/pnpm-lock.yaml'], 'pnpm'],
  [['/repo/yarn.lock'], 'yarn'],
  [['/repo/app/package-lock.json', '/repo/yarn.lock'], 'npm'],
  [['/bun.lock'], 'bun'],
])('packageManagerOf goes by the nearest lock file of %j: %s', (files: string[], expected) => {
  const isFile = (folder: string, name: string) =>
    files.includes(`${folder === '/' ? '' : folder}/${name}`);
  expect(packageManagerOf(['/repo/app', '/repo', '/'], isFile)).toBe(expected);
});
