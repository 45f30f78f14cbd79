import type { UserConfig } from 'vite';

/** One script, one style sheet, and the licenses of the libraries in them. */
export default {
  root: import.meta.dirname,
  build: {
    outDir: '../dist/explorer',
    emptyOutDir: true,
    target: 'es2022',
    // The first versions with `light-dark()`: the themes are written once.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: false,
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: 'main.tsx',
      output: {
        entryFileNames: 'explorer.js',
        assetFileNames: 'explorer[extname]',
        codeSplitting: false,
      },
    },
    // Most of it are CodeMirror and graphql-js.
    chunkSizeWarningLimit: 1024,
  },
  // Calls of `h` are shorter than those of the automatic runtime.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
    jsxInject: `import { h, Fragment } from 'preact';`,
  },
  logLevel: 'warn',
} satisfies UserConfig;
