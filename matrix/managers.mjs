// The package managers that install our packages into an application, none with a flag that loosens its rules.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './child.mjs';

/** Prepares the folder of an application for a manager. Returns what installs packages there. */
export async function installerOf(manager = 'npm', app, registry) {
  const { prepare, command } = MANAGERS[manager];
  await writeFile(join(app, '.npmrc'), registry.npmrc);
  await prepare?.(app, registry);
  return (packages, { log, ...options }) => {
    const [name, ...args] = command(options);
    return run(name, [...args, ...packages], { cwd: app, log, seconds: 300 });
  };
}

const npm = ({ offline, lockOnly }) => [
  ...['npm', 'install', '--no-audit', '--no-fund', '--loglevel', 'error'],
  ...(offline ? ['--prefer-offline'] : []),
  ...(lockOnly ? ['--package-lock-only'] : []),
];

/** A package finds only what it declares: node_modules has links and nothing is hoisted. */
const pnpm = () => [
  ...[process.execPath, join(import.meta.dirname, 'node_modules/pnpm/bin/pnpm.cjs')],
  ...['add', '--config.hoist=false', '--config.strict-peer-dependencies=true'],
];

/** The application's neighbour in the repository has Nest 11, which npm puts into the root folder. */
async function prepareWorkspaces(app, registry) {
  const root = dirname(app);
  const neighbour = join(root, 'neighbour');
  await mkdir(neighbour);
  await writeFile(join(root, '.npmrc'), registry.npmrc);
  await writePackage(root, { workspaces: ['neighbour', 'app'] });
  const nest = { '@nestjs/common': '^11.0.0', '@nestjs/core': '^11.0.0' };
  const others = { 'nestjs-cls': '^6.3.1', 'reflect-metadata': '^0.2.0', rxjs: '^7.8.0' };
  await writePackage(neighbour, { version: '1.0.0', dependencies: { ...nest, ...others } });
}

const writePackage = (folder, manifest) =>
  writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: folder.split('/').at(-1), private: true, ...manifest }, null, 2),
  );

const MANAGERS = {
  npm: { command: npm },
  pnpm: { command: pnpm },
  'npm-workspaces': { prepare: prepareWorkspaces, command: npm },
};
