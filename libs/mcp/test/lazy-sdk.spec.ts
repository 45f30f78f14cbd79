// Of the built package, in a process of its own: Jest has a module registry of its own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const at = (file: string) => fileURLToPath(new URL(`./lazy/${file}`, import.meta.url));

async function modulesOf(...args: string[]): Promise<string[]> {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--import', at('trace.mjs'), at('app.mjs'), ...args],
    { maxBuffer: 1e8 },
  );
  return stderr.split('\n').flatMap((line) => /^loaded (.*)/.exec(line)?.[1] ?? []);
}

function of(modules: string[], name: string): string[] {
  return modules.filter((url) => url.includes(`/node_modules/${name}/`));
}

describe('an application whose controllers carry @McpTool', () => {
  it('loads neither the MCP SDK nor ajv without McpModule', async () => {
    const modules = await modulesOf();
    expect(modules.some((url) => url.includes('/mcp/dist/decorators/'))).toBe(true);
    expect([...of(modules, '@modelcontextprotocol/sdk'), ...of(modules, 'ajv')]).toEqual([]);
  });

  it('loads them with it', async () => {
    const modules = await modulesOf('module');
    expect(of(modules, '@modelcontextprotocol/sdk').length).toBeGreaterThan(0);
    expect(of(modules, 'ajv').length).toBeGreaterThan(0);
  });
});
