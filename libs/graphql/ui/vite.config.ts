import { pageConfig } from '../../../ui/page-config.js';

/** The server writes the HTML, which names the endpoint. */
export default pageConfig({
  name: 'explorer',
  root: import.meta.dirname,
  input: 'main.tsx',
  outDir: '../dist/explorer',
});
