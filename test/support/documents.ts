import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './snippets.js';

const libs = readdirSync(join(root, 'libs'));

/** The paths of all pages that people read. */
export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'VERSIONS.md',
  ...libs.map((lib) => `libs/${lib}/README.md`),
  ...readdirSync(join(root, 'apps')).map((app) => `apps/${app}/README.md`),
  ...libs.flatMap((lib) => pagesBelow(`libs/${lib}/docs`)),
  ...libs.map((lib) => `libs/${lib}/skills/fledge-${lib}/SKILL.md`),
  ...pagesBelow('docs/pages'),
];

function pagesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((page) => page.endsWith('.md'))
    .map((page) => `${folder}/${page}`);
}
