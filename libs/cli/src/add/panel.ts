import { nestAddOf } from './nest-add.js';

export const nestAdd = nestAddOf(
  {
    module: { name: 'PanelModule', call: () => 'PanelModule.forRoot()' },
    next: ({ dependencies }) => `Next, start the application and open:

  http://localhost:3000/_fledge/

With NODE_ENV=production, the panel is off until you set \`authorize\`.${
      dependencies.has('@fledge/mcp')
        ? ''
        : ' To see tools in the panel, add @fledge/mcp: npx nest add @fledge/mcp.'
    }`,
  },
  new URL('../../package.json', import.meta.url),
);
