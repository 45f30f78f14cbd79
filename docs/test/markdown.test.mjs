// What the site changes of a document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMarkdownRenderer } from 'vitepress';
import { extendMarkdown } from '../site/markdown.mjs';
import { withPackageManagers } from '../site/package-managers.mjs';

const renderer = await createMarkdownRenderer('.', { config: extendMarkdown });

test('the first comment of a block names its file', () => {
  const html = renderer.render('```ts\n// src/main.ts\nrun();\n```');
  assert.match(html, /<p class="file-name">src\/main\.ts<\/p>/);
  assert.doesNotMatch(html, /\/\/ src/);
  for (const code of ['// Not a file.\nrun();', '# src\nrun']) {
    assert.doesNotMatch(renderer.render(`\`\`\`ts\n${code}\n\`\`\``), /file-name/);
  }
});

test('cells have the heading of their column', () => {
  const html = renderer.render('| A | `b` |\n| - | - |\n| 1 | 2 |');
  assert.match(html, /<td role="cell" data-label="A">1<\/td>/);
  assert.match(html, /<td role="cell" data-label="b">2<\/td>/);
});

test('blocks that only install packages get tabs', () => {
  const block = (lines) => `\`\`\`sh\n${lines}\n\`\`\``;
  const tabs = withPackageManagers(block('npx nest add @fledge/mcp\nnpm install -D a # b'));
  assert.match(tabs, /^```sh \[pnpm\]\npnpm exec nest add @fledge\/mcp\npnpm add -D a # b\n```$/m);
  assert.match(tabs, /^```sh \[bun\]\nbunx nest add @fledge\/mcp\nbun add -D a # b\n```$/m);
  for (const lines of ['npm install a\nnpm start', 'npx nest add a', 'npm start']) {
    assert.equal(withPackageManagers(block(lines)), block(lines));
  }
});
