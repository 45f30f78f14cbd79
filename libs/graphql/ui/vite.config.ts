import { pageConfig } from '../../../ui/page-config.js';

/** There is no HTML file, because the server writes the HTML with the path of the endpoint. */
export default pageConfig({
  name: 'explorer',
  root: import.meta.dirname,
  input: 'main.tsx',
  outDir: '../dist/explorer',
});
