import { join } from 'node:path';
import type { UserConfig } from 'vite';

export interface PageOptions {
  /** Name of the script and of the style sheet. */
  readonly name: string;
  /** Folder of the sources. */
  readonly root: string;
  /** Where the page begins, below `root`: an HTML file, or a module if the server writes the HTML. */
  readonly input: string;
  /** Folder of the result, below `root`. */
  readonly outDir: string;
}

/**
 * Configures Vite for a page: one script, one style sheet, and the licenses of the libraries in them. URLs are relative,
 * so the page works under any path.
 */
export function pageConfig({ name, root, input, outDir }: PageOptions): UserConfig {
  return {
    root,
    base: './',
    // `npm start` installs no workspaces.
    resolve: { alias: { '@fledge-internal/ui': import.meta.dirname } },
    build: {
      outDir: join(root, outDir),
      emptyOutDir: true,
      target: 'es2022',
      // The first versions with `light-dark()`: the themes are written once.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: false,
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        input: join(root, input),
        output: {
          entryFileNames: `${name}.js`,
          assetFileNames: `${name}[extname]`,
          codeSplitting: false,
        },
      },
      // The explorer contains CodeMirror and graphql-js.
      chunkSizeWarningLimit: 1024,
    },
    // Calls of `h` are shorter than those of the automatic runtime.
    oxc: {
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      jsxInject: `import { h, Fragment } from 'preact';`,
    },
    logLevel: 'warn',
  };
}
