import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { documents, FIXED, packages, root } from '../site/pages.mjs';

const pages = join(root, 'docs/.pages');

function titleOf(page) {
  return /^# (.*)$/m.exec(readFileSync(join(pages, page), 'utf8'))?.[1] ?? page;
}

/** The menu of a package: why, first program, guides, reference, operation. */
function menuOf([name, text]) {
  const own = documents()
    .map(([, page]) => page)
    .filter((page) => page.startsWith(`${name}/`) && page !== `${name}/index.md`)
    .map((page) => page.slice(name.length + 1, -3));
  const fixed = (page, label) =>
    own.includes(page) ? [{ text: label, link: `/${name}/${page}` }] : [];
  const guides = own
    .filter((page) => !FIXED.includes(page))
    .map((page) => ({ text: titleOf(`${name}/${page}.md`), link: `/${name}/${page}` }));
  return {
    text,
    items: [
      ...fixed('why', 'Why'),
      { text: 'First program', link: `/${name}/` },
      ...guides,
      ...fixed('options', 'Options'),
      ...fixed('errors', 'Errors and their cures'),
      ...fixed('production', 'In production'),
      ...fixed('security', 'Security'),
    ],
  };
}

const packageMenu = {
  text: 'Packages',
  items: packages.map(([name, text]) => ({ text, link: `/${name}/` })),
};

const comingFromMenu = {
  text: 'Coming from',
  items: documents()
    .map(([, page]) => page)
    .filter((page) => page.startsWith('coming-from/'))
    .map((page) => ({
      text: titleOf(page).replace('Coming from ', ''),
      link: `/${page.slice(0, -3)}`,
    })),
};

const aboutMenu = {
  text: 'About',
  items: [
    { text: 'Examples', link: '/examples' },
    { text: 'For coding agents', link: '/agents' },
    { text: 'Compatibility', link: '/compatibility' },
    { text: 'Benchmarks', link: '/benchmarks' },
    { text: 'Changelog', link: '/changelog' },
    { text: 'Versions and support', link: '/versions' },
    { text: 'Report a vulnerability', link: '/reporting' },
    { text: 'API', link: '/api/' },
  ],
};

function apiMenu() {
  const menu = join(pages, 'api/typedoc-sidebar.json');
  return existsSync(menu) ? JSON.parse(readFileSync(menu, 'utf8')) : [];
}

export default defineConfig({
  title: 'Fledge',
  description: 'MCP tools from your routes, list queries, multi-tenancy and GraphQL for NestJS',
  srcDir: '.pages',
  outDir: '.dist',
  cleanUrls: true,
  // Addresses that a reader's own application answers.
  ignoreDeadLinks: [/^http:\/\/localhost/],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  vite: {
    plugins: [llmstxt({ ignoreFiles: ['api/**', 'changelog.md'] })],
    build: { chunkSizeWarningLimit: 2_000 },
    logLevel: 'warn',
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Packages', items: packageMenu.items },
      { text: 'Examples', link: '/examples' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: {
      ...Object.fromEntries(packages.map((each) => [`/${each[0]}/`, [menuOf(each), packageMenu]])),
      '/api/': [{ text: 'API', items: apiMenu() }],
      '/': [packageMenu, comingFromMenu, aboutMenu],
    },
    socialLinks: [{ icon: 'github', link: 'https://github.com/fledge-js/fledge' }],
  },
});
