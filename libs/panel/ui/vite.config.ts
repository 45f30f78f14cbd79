import { pageConfig } from '../../../ui/page-config.js';

export default pageConfig({
  name: 'panel',
  root: import.meta.dirname,
  input: 'index.html',
  outDir: '../dist/ui',
});
