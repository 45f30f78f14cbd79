// Options and errors are written once, in the sources. Their pages are made of that.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../support/snippets.js';

function write(at: string, ...options: string[]): { status: number | null; said: string } {
  const script = join(at, 'scripts/reference/write.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...options], {
    encoding: 'utf8',
  });
  return { status, said: stderr };
}

it('the pages of options and errors are those of the sources', () => {
  expect(write(root, '--check')).toEqual({ status: 0, said: '' });
});

it('an error without a cure and an option without a comment stop the build', () => {
  const copy = mkdtempSync(join(tmpdir(), 'fledge-reference-'));
  for (const path of ['scripts', '.oxfmtrc.json']) {
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const lib of ['core', 'query', 'tenant', 'mcp', 'graphql', 'panel', 'cli']) {
    cpSync(join(root, 'libs', lib, 'src'), join(copy, 'libs', lib, 'src'), { recursive: true });
    mkdirSync(join(copy, 'libs', lib, 'docs'));
  }
  const change = (file: string, from: RegExp, to: string) => {
    const text = readFileSync(join(copy, file), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(join(copy, file), text.replace(from, to));
    const answer = write(copy);
    writeFileSync(join(copy, file), text);
    return answer;
  };
  expect(change('libs/mcp/src/mcp.errors.ts', /@remarks/, 'Text:')).toMatchObject({
    status: 1,
    said: expect.stringContaining('MCP_BAD_OPTION of @fledge/mcp has no @remarks with its cure'),
  });
  expect(change('libs/panel/src/panel.options.ts', /Title of the page\./, '')).toMatchObject({
    status: 1,
    said: expect.stringContaining('the option name has no comment'),
  });
  expect(write(copy)).toEqual({ status: 0, said: '' });
  rmSync(copy, { recursive: true });
});
