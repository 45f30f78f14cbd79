import { describe, expect, it } from '@jest/globals';
import compiler from 'typescript';
import { usesModule } from './module-use.js';

const uses = (text: string) =>
  usesModule(text, { name: 'McpModule', from: '@fledge/mcp' }, compiler);
const IMPORT = `import { McpModule } from '@fledge/mcp';\n`;

describe('usesModule', () => {
  it.each([
    ['in imports', `${IMPORT}@Module({ imports: [McpModule.forRoot({})] })\nclass A {}`],
    ['in a variable', `${IMPORT}export const mcp = McpModule.forRootAsync({});`],
    ['over lines', `${IMPORT}const mcp = McpModule\n  .forRoot({});`],
    ['by another name', `import { McpModule as Mcp } from '@fledge/mcp';\nMcp.forRoot({});`],
    ['in a namespace', `import * as mcp from "@fledge/mcp";\nmcp.McpModule.forRoot({});`],
  ])('finds a call %s', (_place, text) => {
    expect(uses(text)).toBe(true);
  });

  it.each([
    ['another package', `import { McpModule } from '@rekog/mcp-nest';\nMcpModule.forRoot({});`],
    ['a class of the application', `class McpModule { static forRoot() {} }\nMcpModule.forRoot();`],
    [
      'a class beside the package',
      `import { McpTool } from '@fledge/mcp';\nMcpModule.forRoot({});`,
    ],
    ['a comment', `${IMPORT}// McpModule.forRoot({})`],
    ['a text', `${IMPORT}const text = 'McpModule.forRoot()';`],
    ['an import alone', IMPORT],
    [
      'a helper of tests',
      `${IMPORT}export const app = () => Test.createTestingModule({ imports: [McpModule.forRoot({})] });`,
    ],
  ])('does not take %s for it', (_kind, text) => {
    expect(uses(text)).toBe(false);
  });
});
