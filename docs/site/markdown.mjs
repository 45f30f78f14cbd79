// How the site shows tables and code: tables become cards in narrow windows, and code blocks have the names of files.

/** Changes a renderer of VitePress. */
export function extendMarkdown(markdown) {
  markdown.core.ruler.push('cards', ({ tokens }) => labelCells(tokens));
  markdown.renderer.rules.table_open = (tokens, at, options, _env, self) =>
    self.renderToken(tokens, at, options);
  nameFiles(markdown);
}

/** Styles drop the roles of tables whose cells are blocks, so the roles are written. */
const ROLES = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
};

/** Gives each cell the heading of its column. */
function labelCells(tokens) {
  let headings = [];
  let column = 0;
  for (const [at, token] of tokens.entries()) {
    const role = ROLES[token.type];
    if (role === undefined) continue;
    token.attrSet('role', role);
    if (token.type === 'table_open') {
      token.attrSet('tabindex', '0');
      headings = [];
    }
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') headings.push(textOf(tokens[at + 1]));
    if (token.type === 'td_open') token.attrSet('data-label', headings[column++] ?? '');
  }
}

function textOf({ children }) {
  return children.map(({ content }) => content).join('');
}

/** The first line of a block is its file's name if it is a comment with a path: `// src/main.ts`. */
const FILE = /^(?:\/\/|#|<!--) ?([\w./@-]+\.\w+)(?: ?-->)?\n/;

function nameFiles(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, at, ...rest) => {
    const token = tokens[at];
    const name = FILE.exec(token.content)?.[1];
    if (name === undefined) return fence(tokens, at, ...rest);
    token.content = token.content.slice(token.content.indexOf('\n') + 1);
    const code = fence(tokens, at, ...rest);
    return `<div class="file"><p class="file-name">${name}</p>${code}</div>`;
  };
}
