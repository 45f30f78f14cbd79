import { describe, expect, it } from '@jest/globals';
import compiler from 'typescript';
import { planOf } from './add-plan.js';

const MODULE = `import { Module } from '@nestjs/common';\n\n@Module({ imports: [] })\nexport class AppModule {}\n`;
const MAIN = `import { AppModule } from './app.module';\nvoid NestFactory.create(AppModule);\n`;

function plan(files: Record<string, string>, sourceRoot = 'src') {
  const installed = { versionOf: () => '12.5.1', ofWorkspace: new Set<string>() };
  return planOf(
    {
      addition: {
        module: { name: 'McpModule', call: () => 'McpModule.forRoot({})' },
        next: () => '',
      },
      manifest: { name: '@fledge/mcp', peerDependencies: { '@nestjs/core': '^12.0.0' } },
      sourceRoot,
      mcpJson: true,
    },
    {
      read: (path) => files[path],
      sources: (folder) => Object.keys(files).filter((path) => path.startsWith(`${folder}/`)),
      installed,
    },
    compiler,
  );
}

const manifest = (more: object) =>
  JSON.stringify({ name: 'shop', dependencies: { '@nestjs/core': '^12.0.0' }, ...more });

describe('planOf', () => {
  it('finds the module in a library that the application loads, and not in another application', () => {
    const files = {
      'package.json': manifest({}),
      'tsconfig.json': '{"compilerOptions":{"paths":{"@app/agents":["libs/agents/src"]}}}',
      'apps/shop/src/main.ts': MAIN,
      'apps/shop/src/app.module.ts': `import { AgentsModule } from '@app/agents';\n${MODULE}`,
      'apps/blog/src/main.ts': `import { McpModule } from '@fledge/mcp';\nMcpModule.forRoot({});`,
      'libs/agents/src/index.ts': "export * from './agents.module';",
      'libs/agents/src/agents.module.ts':
        "import { McpModule } from '@fledge/mcp';\nexport const mcp = McpModule.forRoot({});",
    };
    const { message } = plan(files, 'apps/shop/src');
    expect(message).toContain('libs/agents/src/agents.module.ts already uses McpModule.');
    const without = { ...files, 'libs/agents/src/index.ts': '' };
    expect(plan(without, 'apps/shop/src').message).toContain('Added McpModule to AppModule');
  });

  it('names the server as clients accept', () => {
    const { files } = plan({
      'package.json': manifest({ name: '@acme/shop.api' }),
      'src/main.ts': MAIN,
      'src/app.module.ts': MODULE,
    });
    expect(Object.keys(JSON.parse(files.get('.mcp.json') ?? '').mcpServers)).toEqual(['shop-api']);
  });

  it.each([
    [{ devDependencies: { jest: '^30.0.0' } }, true],
    [{ devDependencies: { jest: '^30.0.0' }, type: 'module' }, false],
    [{}, false],
  ])('with %j says that Jest needs a setting: %s', (more, says) => {
    const { message } = plan({
      'package.json': manifest(more),
      'src/main.ts': MAIN,
      'src/app.module.ts': MODULE,
    });
    expect(message.includes('docs/commonjs.md of @fledge/core')).toBe(says);
  });
});
