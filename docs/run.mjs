// `npm run docs`: installs what only the site needs, assembles its pages, builds it into docs/.dist.
// --open serves what was built; --test looks at it in a browser; --reference only writes the generated pages of libs/*/docs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installIfNeeded } from '../scripts/install.mjs';

const here = import.meta.dirname;
const root = join(here, '..');
const options = process.argv.slice(2);
const unknown = options.find((option) => !['--open', '--reference', '--test'].includes(option));
if (unknown !== undefined) {
  console.error(`There is no option ${unknown}. Use --open, --reference or --test.`);
  process.exit(2);
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

if (options.includes('--reference')) {
  run(process.execPath, [join(root, 'scripts/reference/write.mjs')], root);
  process.exit();
}

await installIfNeeded(here, ['--ignore-scripts']);
run(process.execPath, [join(root, 'scripts/reference/write.mjs'), '--check'], root);
run(process.execPath, [join(here, 'site/assemble.mjs')], root);
run(join(here, 'node_modules/.bin/typedoc'), ['--options', 'typedoc.json'], here);
run(process.execPath, [join(here, 'site/name-modules.mjs')], root);
run(join(here, 'node_modules/.bin/vitepress'), ['build'], here);
const quick = ['test/markdown.test.mjs', 'test/search.test.mjs'].map((file) => join(here, file));
run(process.execPath, ['--test', ...quick], root);
if (options.includes('--test')) {
  run(process.execPath, ['--test', join(here, 'test/site.test.mjs')], root);
}
if (options.includes('--open')) {
  run(join(here, 'node_modules/.bin/vitepress'), ['preview'], here);
}
