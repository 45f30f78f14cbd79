// Writes docs/.pages, the source of the site, from the documents of the repository.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rewriteLinks } from './links.mjs';
import { guidesInMenus } from './menus.mjs';
import { withPackageManagers } from './package-managers.mjs';
import { documents, root } from './pages.mjs';
import { WORDS } from './search.mjs';

const target = join(root, 'docs/.pages');
rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, 'public'), { recursive: true });

copyFileSync(join(import.meta.dirname, 'leaf.svg'), join(target, 'public/leaf.svg'));

const pageOf = new Map(documents());
pageOf.set('matrix/README.md', 'compatibility.md');
for (const [document, page] of documents()) {
  const { text, images } = rewriteLinks(contentOf(document), document, pageOf);
  mkdirSync(dirname(join(target, page)), { recursive: true });
  writeFileSync(join(target, page), withPackageManagers(text));
  for (const image of images) {
    copyFileSync(join(root, image), join(target, 'public', image.replaceAll('/', '-')));
  }
}

checkPages('docs/site/menus.mjs', guidesInMenus());
checkPages('docs/site/search.mjs', Object.keys(WORDS).map(pageAt));

function checkPages(file, listed) {
  const pages = new Set(pageOf.values());
  const missing = listed.filter((page) => !pages.has(page));
  if (missing.length > 0)
    throw new Error(`${file} lists ${missing.join(', ')}, which does not exist.`);
}

/** `/mcp/` is `mcp/index.md`. */
function pageAt(address) {
  return `${address.slice(1).replace(/(?<=\/)$/, 'index')}.md`;
}

/** The document, with the end of another one where it says so. */
function contentOf(document) {
  const text = readFileSync(join(root, document), 'utf8');
  return text.replace(/^<!-- include (\S+) from "(.*)" -->$/m, (_, file, start) => {
    const included = readFileSync(join(root, file), 'utf8');
    const at = included.indexOf(start);
    if (at < 0)
      throw new Error(`${document} includes ${file} from "${start}", which is not there.`);
    return included.slice(at).trimEnd();
  });
}
