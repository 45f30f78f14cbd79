// Writes docs/.pages, the source of the site, from the documents of the repository.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rewriteLinks } from './links.mjs';
import { documents, root } from './pages.mjs';

const target = join(root, 'docs/.pages');
rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, 'public'), { recursive: true });

const pageOf = new Map(documents());
pageOf.set('matrix/README.md', 'compatibility.md');
for (const [document, page] of documents()) {
  const { text, images } = rewriteLinks(contentOf(document), document, pageOf);
  mkdirSync(dirname(join(target, page)), { recursive: true });
  writeFileSync(join(target, page), text);
  for (const image of images) {
    copyFileSync(join(root, image), join(target, 'public', image.replaceAll('/', '-')));
  }
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
