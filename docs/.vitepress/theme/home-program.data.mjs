import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMarkdownRenderer } from 'vitepress';

const readme = join(import.meta.dirname, '../../../README.md');

export default {
  watch: [readme],
  /** @returns the first program of the README and the first output, as HTML */
  async load() {
    const text = readFileSync(readme, 'utf8');
    const blocks = ['ts', 'text'].flatMap(
      (language) => new RegExp(`^\`\`\`${language}\\b.*?^\`\`\`$`, 'ms').exec(text) ?? [],
    );
    const { markdown } = globalThis.VITEPRESS_CONFIG;
    const renderer = await createMarkdownRenderer(join(readme, '..'), markdown);
    return renderer.render(blocks.join('\n\n'));
  },
};
