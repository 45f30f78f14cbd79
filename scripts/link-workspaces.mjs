// Runs before `npm run build`. Links workspaces that are missing in node_modules, such as one that
// was added by a pull, so the build needs no installation first.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
const folders = workspaces.flatMap((pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(dirname(pattern)).map((name) => join(dirname(pattern), name))
    : [pattern],
);

for (const folder of folders) {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) continue;
  const link = join('node_modules', JSON.parse(readFileSync(manifest, 'utf8')).name);
  if (existsSync(link)) continue;
  mkdirSync(dirname(link), { recursive: true });
  const windows = process.platform === 'win32';
  symlinkSync(
    windows ? resolve(folder) : relative(dirname(link), folder),
    link,
    windows ? 'junction' : 'dir',
  );
}
