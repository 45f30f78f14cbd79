// The builders of `nest build`, set as their pages of Nest's documentation say.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changePackage } from './package-file.mjs';

const PACKAGES = {
  swc: { '@swc/cli': '^0.8.0', '@swc/core': '^1.16.0' },
  webpack: {
    webpack: '^5.105.4',
    'webpack-node-externals': '^3.0.0',
    'tsconfig-paths-webpack-plugin': '^4.2.0',
    'ts-loader': '^9.5.4',
    'fork-ts-checker-webpack-plugin': '^9.1.0',
  },
  rspack: {
    '@rspack/core': '^2.1.10',
    'webpack-node-externals': '^3.0.0',
    'tsconfig-paths-webpack-plugin': '^4.2.0',
  },
};

/** Sets the builder of an application; without one, the template's stays: tsc. */
export async function setBuilder(app, { builder, modules, bundled }) {
  if (builder === undefined) return;
  await changePackage(app, ({ devDependencies }) =>
    Object.assign(devDependencies, PACKAGES[builder]),
  );
  const file = join(app, 'nest-cli.json');
  const config = JSON.parse(await readFile(file, 'utf8'));
  config.compilerOptions = { ...config.compilerOptions, builder };
  await writeFile(file, JSON.stringify(config, null, 2));
  if (bundled) await writeFile(join(app, 'rspack.config.js'), BUNDLED);
  // Bundlers look for the files that imports of a CommonJS application name, and find no .js.
  if (builder !== 'swc' && modules === 'cjs') await dropExtensions(join(app, 'src'));
}

/** Everything is in the bundle, but what is imported only where it is installed, and is not. */
const BUNDLED = `const { existsSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { join } = require('node:path');

const packageOf = (name) => name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/');
const isMissing = (name) =>
  /^[@a-z]/.test(name) && !isBuiltin(name) && !existsSync(join(__dirname, 'node_modules', packageOf(name)));

module.exports = (options) => ({
  ...options,
  mode: 'production',
  optimization: { minimize: false },
  externals: [({ request }, done) => (isMissing(request) ? done(null, 'commonjs ' + request) : done())],
});
`;

async function dropExtensions(folder) {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const file = join(folder, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/from '(\.{1,2}\/[\w./-]+)\.js'/g, "from '$1'"));
  }
}
