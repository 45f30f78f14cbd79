// What a front end loads of the package, as it is published.
import { join } from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type BrowserProgram, browserProgram } from '../../../../test/support/browser-program.js';
import { root } from '../../../../test/support/snippets.js';

describe('@fledge/query/client, joined for browsers', () => {
  let program: BrowserProgram;
  beforeAll(() => {
    program = browserProgram('libs/query/dist/client/index.js');
  });

  it('imports nothing from outside of its package', () => {
    const outside = program.modules.filter((file) => !file.startsWith(join(root, 'libs/query')));
    expect([...program.imports, ...outside]).toEqual([]);
    expect(program.modules.length).toBeGreaterThan(1);
  });

  it('runs without Node.js: no Buffer, no process, no require', async () => {
    const window = createContext({ URLSearchParams, sent: '', thrown: '' });
    const module = new SourceTextModule(
      `${program.code}
      globalThis.sent = buildQueryString(fromAgGrid({
        startRow: 20, endRow: 40,
        filterModel: { due: { filterType: 'date', type: 'lessThan', dateFrom: '2026-01-31' } },
      }));
      try { fromRefine({ filters: [{ field: 'tags', operator: 'ina', value: ['a'] }] }); }
      catch (error) { globalThis.thrown = error.code; }
      globalThis.absent = [typeof Buffer, typeof process, typeof require, typeof global];`,
      { context: window },
    );
    await module.link(() => {
      throw new Error('It imports a module.');
    });
    await module.evaluate();
    expect({ ...window }).toMatchObject({
      sent: 'filter=due%3Alt%3A2026-01-31&page=2&limit=20',
      thrown: 'QUERY_UNBUILDABLE',
      absent: ['undefined', 'undefined', 'undefined', 'undefined'],
    });
  });
});
