// Pages are short, their links lead somewhere, and their commands exist.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documents } from '../support/documents.js';
import { blocksOf, commandsOf, root } from '../support/snippets.js';

/** A README is read whole; a page is looked things up in. */
function mostLinesOf(document: string): number {
  if (document === 'README.md') return 150;
  // With whole programs.
  if (document.startsWith('docs/pages/tutorials/')) return 320;
  // Generated, and searched.
  if (document.endsWith('/docs/options.md')) return 400;
  return /(^|\/)docs\//.test(document) ? 250 : 100;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

describe('the documents', () => {
  it.each(documents)('%s is as short as promised, and its links lead somewhere', (readme) => {
    const text = readFileSync(join(root, readme), 'utf8');
    expect(text.split('\n').length).toBeLessThan(mostLinesOf(readme));
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(
      ([, path]) => path as string,
    );
    expect(links.filter((path) => !existsSync(join(root, dirname(readme), path)))).toEqual([]);
  });

  it.each(documents)('%s tells no command that is not there', (readme) => {
    const text = readFileSync(join(root, readme), 'utf8');
    const scripts = [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:]+)/g)];
    for (const [, script] of scripts) expect(manifest.scripts).toHaveProperty([script as string]);
    for (const command of commandsOf(readme)) {
      const packages = /^npm install (.*)$/.exec(command)?.[1]?.split(' ') ?? [];
      for (const name of packages.filter((word) => !word.startsWith('-'))) {
        const unversioned = name.replace(/(?<=.)@.*$/, '');
        expect(existsSync(join(root, 'node_modules', unversioned))).toBe(true);
      }
      expect(command).toMatch(
        /^(npm (install|start|test|run \S+)|node dist\/|cd |curl |npx nest add @fledge\/\w+|npx @nestjs\/cli new |(echo .* \| )?npx @fledge\/cli )/,
      );
    }
  });

  it.each(documents)('%s shows programs that every MCP client can use', (readme) => {
    const programs = blocksOf(readme, 'ts');
    // By default a second client is rejected.
    const servers = programs.filter((program) => /McpModule\.forRoot(Async)?\(/.test(program));
    expect(servers.filter((program) => !/sessions: \{\s+max: /.test(program))).toEqual([]);
    // The default name has a dot, which some clients reject.
    const tools = programs.flatMap((program) => program.match(/@McpTool\(\{.*?\}\)/gs) ?? []);
    expect(tools.filter((tool) => !/\bname: '\w+'/.test(tool))).toEqual([]);
  });
});
