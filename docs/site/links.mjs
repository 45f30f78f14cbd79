// Links between documents become links between pages; links to other files become links to the repository.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { root } from './pages.mjs';

export const REPOSITORY = 'https://github.com/fledge-js/fledge';

/**
 * @param text Markdown
 * @param document where it stands in the repository
 * @param pageOf the page of a document
 * @returns the text, and the images that it shows
 */
export function rewriteLinks(text, document, pageOf) {
  const images = [];
  const fileOf = (path) => {
    const file = normalize(join(dirname(document), path)).replace(/\/$/, '');
    if (existsSync(join(root, file))) return file;
    throw new Error(`${document} links to ${path}, which does not exist.`);
  };
  const shown = (file) => {
    images.push(file);
    return `/${file.replaceAll('/', '-')}`;
  };
  const links = (prose) =>
    prose.replace(/(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (_, bang, label, target) => {
      const [path, anchor] = target.split('#');
      const file = fileOf(path);
      if (bang) return `![${label}](${shown(file)})`;
      return `[${label}](${urlOf(file, document, pageOf)}${anchor ? `#${anchor}` : ''})`;
    });
  // The dark form of a picture.
  const sources = (prose) =>
    prose.replace(/srcset="([^"]+)"/g, (_, path) => `srcset="${shown(fileOf(path))}"`);
  const rewritten = outsideFences(text, (prose) => sources(links(prose)));
  return { text: rewritten, images };
}

function urlOf(file, document, pageOf) {
  const isFolder = statSync(join(root, file)).isDirectory();
  const page = pageOf.get(file) ?? pageOf.get(`${file}/README.md`);
  if (page === undefined) return `${REPOSITORY}/${isFolder ? 'tree' : 'blob'}/main/${file}`;
  const path = relative(dirname(pageOf.get(document)), page);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Applies a function to what stands outside of fenced code. */
function outsideFences(text, change) {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');
}
