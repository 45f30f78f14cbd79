import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { REPOSITORY } from '../site/links.mjs';
import { extendMarkdown } from '../site/markdown.mjs';
import { generalMenu, packageMenu, packagesMenu } from '../site/menus.mjs';
import { packages, root } from '../site/pages.mjs';
import { search } from '../site/search.mjs';
import { addSource } from '../site/sources.mjs';

const api = join(root, 'docs/.pages/api/typedoc-sidebar.json');
const apiLinks = existsSync(api) ? JSON.parse(readFileSync(api, 'utf8')) : [];

export default defineConfig({
  lang: 'en-US',
  title: 'Fledge',
  description: 'MCP tools from your routes, list queries, multi-tenancy and GraphQL for NestJS',
  head: [['link', { rel: 'icon', href: '/leaf.svg', type: 'image/svg+xml' }]],
  srcDir: '.pages',
  outDir: '.dist',
  cleanUrls: true,
  // Addresses that a reader's own application answers.
  ignoreDeadLinks: [/^http:\/\/localhost/],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: extendMarkdown,
  },
  vite: {
    plugins: [llmstxt({ ignoreFiles: ['api/**', 'changelog.md'] })],
    logLevel: 'warn',
  },
  transformPageData: addSource,
  themeConfig: {
    search,
    outline: [2, 3],
    nav: [
      { text: 'Get started', link: '/start' },
      { text: 'Packages', items: packagesMenu.items },
      { text: 'Examples', link: '/examples' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: {
      ...Object.fromEntries(packages.map(([name]) => [`/${name}/`, packageMenu(name, apiLinks)])),
      '/api/': [{ text: 'API', items: apiLinks }],
      '/': generalMenu,
    },
    editLink: { pattern: ({ frontmatter }) => frontmatter.source, text: 'Edit this page' },
    lastUpdated: { text: 'Last updated', formatOptions: { dateStyle: 'long' } },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
  },
});
