// Without `onInvalid: 'throw'`, a misspelled filter gives every row. What we show and generate is strict.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documents } from '../support/documents.js';
import { blocksOf, root } from '../support/snippets.js';

const READS_A_LIST = /@Qs\(|\bparseQuery\(|\bcompileQuery\(|new QueryPipe\(/;
const STRICT = "onInvalid: 'throw'";

describe('a list', () => {
  it('is strict in each document', () => {
    const blocks = documents.flatMap((page) =>
      blocksOf(page, 'ts').map((code) => ({ page, code })),
    );
    const lists = blocks.filter(({ code }) => READS_A_LIST.test(code));
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter(({ code }) => !code.includes(STRICT)).map(({ page }) => page)).toEqual([]);
  });

  it.each([
    'apps/tasks/src/app.module.ts',
    'apps/examples/prisma/main.ts',
    'apps/examples/src/sqlite.ts',
    'libs/cli/src/add/query.ts',
    'libs/query/skills/fledge-query/SKILL.md',
  ])('is strict in %s', (file) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(STRICT);
  });
});
