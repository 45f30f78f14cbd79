// An application as the official CLI generates it, with our packages installed and the sources of
// overlay/ laid over its own.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setBuilder } from './builders.mjs';
import { run } from './child.mjs';
import { installerOf } from './managers.mjs';
import { changePackage } from './package-file.mjs';
import { peersOf } from './peers.mjs';
import { addTestOfModule, setTests } from './tests.mjs';

const require = createRequire(import.meta.url);
const here = import.meta.dirname;

/** Generates, installs and builds. Returns the folder. */
export async function makeApplication(scenario, { folder, registry, log, offline }) {
  const app = await generate(scenario, folder, log);
  await cp(join(here, 'overlay'), app, { recursive: true });
  const install = await installerOf(scenario.manager, app, registry);
  if (scenario.modules === 'esm' && scenario.nest === 11) await makeEsm(app);
  await addTestOfModule(app);
  await setBuilder(app, scenario);
  const peers = peersOf(scenario, registry.libs);
  await changePackage(app, (manifest) => {
    setTests(manifest, scenario);
    // Versions of the template give way to those of the scenario: npm would refuse two.
    for (const kind of ['dependencies', 'devDependencies']) {
      for (const name of Object.keys(manifest[kind])) {
        if (peers[name]) manifest[kind][name] = peers[name];
      }
    }
  });
  const ours = registry.libs.map(({ name }) => name);
  const theirs = Object.entries(peers).filter(([name]) => name !== '@nestjs/testing');
  await install([...ours, ...theirs.map((pair) => pair.join('@'))], { log, offline });
  await run('npm', ['run', 'build'], { cwd: app, log, seconds: 120 });
  return app;
}

/** The application of realistic/, with its own packages. Returns the folder. */
export async function makeRealistic(scenario, { folder, registry, log }) {
  const app = await generate(scenario, folder, log);
  await cp(join(here, 'realistic/src'), join(app, 'src'), { recursive: true });
  const install = await installerOf(scenario.manager, app, registry);
  await install(scenario.packages, { log });
  await run('npm', ['run', 'build'], { cwd: app, log, seconds: 120 });
  return app;
}

/** `nest new app`; where that has no option for the kind of module, the schematic that it runs. */
export async function generate({ nest, modules }, folder, log) {
  const cli = dirname(require.resolve(`nest-cli-${nest}/package.json`));
  const options = ['--skip-install', '--skip-git', '--strict', '--package-manager', 'npm'];
  const args =
    nest === 12 && modules === 'cjs'
      ? [
          schematicsOf(cli),
          '@nestjs/schematics:application',
          '--name=app',
          '--type=cjs',
          '--language=ts',
        ]
      : [
          join(cli, 'bin/nest.js'),
          'new',
          'app',
          ...options,
          ...(nest > 11 ? ['--no-observe'] : []),
        ];
  await run(process.execPath, args, { cwd: folder, log, seconds: 60 });
  return join(folder, 'app');
}

const schematicsOf = (cli) =>
  createRequire(join(cli, 'package.json')).resolve(
    '@angular-devkit/schematics-cli/bin/schematics.js',
  );

/** Makes an ES module of each file of the CommonJS template. */
async function makeEsm(app) {
  await changePackage(app, (manifest) => {
    manifest.type = 'module';
  });
  for (const name of await readdir(join(app, 'src'))) {
    if (!name.endsWith('.ts')) continue;
    const file = join(app, 'src', name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/from '(\.\/[\w./-]+?)(\.js)?'/g, "from '$1.js'"));
  }
}
