// The package.json of an application.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function changePackage(app, change) {
  const file = join(app, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  change(manifest);
  await writeFile(file, JSON.stringify(manifest, null, 2));
}
