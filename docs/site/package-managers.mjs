// Blocks that install packages get a tab for each package manager.

const MANAGERS = {
  npm: { install: 'npm install', run: 'npx' },
  pnpm: { install: 'pnpm add', run: 'pnpm exec' },
  yarn: { install: 'yarn add', run: 'yarn' },
  bun: { install: 'bun add', run: 'bunx' },
};

/** A block whose lines are all `npm install ...` or `npx nest add ...`, and the first kind is among them. */
const BLOCK =
  /^```sh\n((?:npx nest add .*\n)*npm install .*\n(?:(?:npx nest add|npm install) .*\n)*)```$/gm;

/** @returns the Markdown with a VitePress code group for each such block */
export function withPackageManagers(markdown) {
  return markdown.replace(BLOCK, (_, lines) => {
    const tabs = Object.entries(MANAGERS).map(([name, { install, run }]) => {
      const own = lines.replace(/^npm install/gm, install).replace(/^npx/gm, run);
      return `\`\`\`sh [${name}]\n${own}\`\`\``;
    });
    return ['::: code-group', ...tabs, ':::'].join('\n\n');
  });
}
