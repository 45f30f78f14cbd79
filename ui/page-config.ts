import { join } from 'node:path';
import type { UserConfig } from 'vite';

export interface PageOptions {
  /** Name of the script and the style sheet. */
  readonly name: string;
  /** Folder of the sources. */
  readonly root: string;
  /**
   * The entry of the page, relative to `root`: an HTML file, or a module if the server writes the
   * HTML.
   */
  readonly input: string;
  /** Output folder, relative to `root`. */
  readonly outDir: string;
}

/**
 * Returns the Vite configuration of a page: one script, one style sheet, and the licenses of the
 * libraries in them. URLs are relative, so the page works below any path.
 */
export function pageConfig({ name, root, input, outDir }: PageOptions): UserConfig {
  return {
    root,
    base: './',
    // `npm start` does not install workspaces, so the package name cannot be resolved.
    resolve: { alias: { '@fledge-internal/ui': import.meta.dirname } },
    build: {
      outDir: join(root, outDir),
      emptyOutDir: true,
      target: 'es2022',
      // The first browser versions with `light-dark()`. With lower targets, the build would
      // duplicate the themes.
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
      // In kB. The explorer contains CodeMirror and graphql-js.
      chunkSizeWarningLimit: 1024,
    },
    // Calls of `h` are shorter than calls of the automatic JSX runtime.
    oxc: {
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      jsxInject: `import { h, Fragment } from 'preact';`,
    },
    logLevel: 'warn',
  };
}
