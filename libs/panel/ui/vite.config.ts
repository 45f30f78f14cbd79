import type { UserConfig } from 'vite';

/** One script and one style sheet. URLs are relative, so the panel works under any path. */
export default {
  root: import.meta.dirname,
  base: './',
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2022',
    // The first versions with `light-dark()`: the themes are written once.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: false,
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      output: {
        entryFileNames: 'panel.js',
        assetFileNames: 'panel[extname]',
        codeSplitting: false,
      },
    },
  },
  // Calls of `h` are shorter than those of the automatic runtime.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
    jsxInject: `import { h, Fragment } from 'preact';`,
  },
  logLevel: 'warn',
} satisfies UserConfig;
