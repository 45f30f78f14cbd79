import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import {
  ExportLimitError,
  type ExportOptions,
  exportPages,
  InvalidQueryConfigError,
  InvalidQueryError,
  parseQuery,
  UnacceptableExportError,
} from '@fledge/query';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

/** Pages of given rows, by their place. */
function pagesOf(rows: readonly object[], seen: (signal: AbortSignal) => void = () => undefined) {
  const places = new Map(rows.map((row, i) => [row, i]));
  return ({ pagination, after }: ReturnType<typeof parseQuery>, signal: AbortSignal) => {
    seen(signal);
    const start = Number(after ?? 0);
    return {
      // One row more, to look ahead.
      data: rows.slice(start, start + pagination.limit + 1),
      cursorOf: (row: object) => String((places.get(row) ?? 0) + 1),
    };
  };
}

async function exported(rows: readonly object[], options?: ExportOptions): Promise<string> {
  const { stream } = await exportPages(pagesOf(rows), parseQuery({}), options);
  return textOf(stream);
}

const csv = (rows: readonly object[], columns?: readonly string[]) =>
  exported(rows, { accept: 'text/csv', columns });

/** The records of a CSV text, as a spreadsheet reads them: undefined for an empty cell without quotes. */
function recordsOf(file: string): (string | undefined)[][] {
  const records: (string | undefined)[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const record: (string | undefined)[] = [];
  for (let match = cell.exec(file); match !== null; match = cell.exec(file)) {
    const [, quoted, plain, end] = match;
    record.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? undefined : plain));
    if (end === '\r\n') records.push(record.splice(0));
  }
  return records;
}

describe('an export', () => {
  it('writes every type of value as NDJSON', async () => {
    const created = new Date('2026-01-02T03:04:05.678Z');
    const row = {
      id: 2n ** 60n,
      title: 'a"b\n',
      created,
      note: null,
      tags: [{ n: 1n }],
      gone: undefined,
    };
    expect(await exported([row, { id: 1 }])).toBe(
      '{"id":"1152921504606846976","title":"a\\"b\\n","created":"2026-01-02T03:04:05.678Z","note":null,"tags":[{"n":"1"}]}\n{"id":1}\n',
    );
    expect(await exported([])).toBe('');
  });

  it('writes every type of value as CSV', async () => {
    const row = {
      id: 2n ** 60n,
      'a,b': 'x,"y"\nz',
      day: new Date('2026-01-02T03:04:05.678Z'),
      none: null,
      empty: '',
      less: -1.5,
      price: '-2.50',
      bytes: Buffer.from('hi'),
      list: [1, { n: 2n }],
    };
    expect(await csv([row])).toBe(
      'id,"a,b",day,none,empty,less,price,bytes,list\r\n' +
        '1152921504606846976,"x,""y""\nz",2026-01-02T03:04:05.678Z,,"",-1.5,-2.50,aGk=,"[1,{""n"":""2""}]"\r\n',
    );
    expect(await csv([], ['id', 'title'])).toBe('id,title\r\n');
    expect(await csv([])).toBe('');
    expect(await csv([{ id: 1, secret: 2 }, { secret: 3 }], ['title', 'id'])).toBe(
      'title,id\r\n,1\r\n,\r\n',
    );
  });

  it('writes no CSV column for a class field that no row of the first page has', async () => {
    class Task {
      // Declared class fields are own properties with the value undefined.
      constructor(values: object) {
        Object.assign(this, values);
      }
      id: unknown = undefined;
      note: unknown = undefined;
      secret: unknown = undefined;
    }
    expect(await csv([new Task({ id: 1 }), new Task({ id: 2, note: 'x' })])).toBe(
      'id,note\r\n1,\r\n2,x\r\n',
    );
    expect(await csv([new Task({ id: 1, note: null })])).toBe('id,note\r\n1,\r\n');
  });

  it('writes what toJSON() returns, with and without columns', async () => {
    class User {
      id = 1;
      password = 's3cret';
      toJSON() {
        return { id: this.id, label: 'user 1' };
      }
    }
    expect(await exported([new User()])).toBe('{"id":1,"label":"user 1"}\n');
    expect(await csv([new User()])).toBe('id,label\r\n1,user 1\r\n');
    expect(await csv([new User()], ['label', 'password'])).toBe('label,password\r\nuser 1,\r\n');
  });

  it('writes a string that toJSON() of a value returns without JSON quotes', async () => {
    const written = (json: unknown) => ({ toJSON: () => json });
    const row = {
      url: new URL('http://a/b'),
      price: written('-12.50'),
      run: written('=1+1'),
      list: written(['a', 1]),
      none: written(null),
      never: new Date(Number.NaN),
    };
    expect(await csv([row])).toBe(
      `url,price,run,list,none,never\r\nhttp://a/b,-12.50,'=1+1,"[""a"",1]",,\r\n`,
    );
  });

  it('rejects if a row of the first page cannot be written', async () => {
    const row: Record<string, unknown> = { id: 1 };
    row['self'] = row;
    for (const accept of [undefined, 'text/csv']) {
      await expect(exportPages(pagesOf([row]), parseQuery({}), { accept })).rejects.toThrow(
        TypeError,
      );
    }
  });

  it.each([
    '=1+1',
    '+1',
    '-1+2',
    '-cmd',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '－1',
    '-',
    '-1,5',
  ])('does not let %j run as a formula', async (formula) => {
    const [[name], [value]] = recordsOf(await csv([{ [formula]: formula }])) as [
      string[],
      string[],
    ];
    expect([name, value]).toEqual([`'${formula}`, `'${formula}`]);
  });

  it.each(['x;=1+1', 'x\t=1+1'])('quotes %j, which some spreadsheets would split', async (text) => {
    expect(await csv([{ text }])).toBe(`text\r\n"${text}"\r\n`);
  });

  it('gives each text back from CSV, apart from the apostrophe of formulas', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[=+\-@",\r\n 'a1]*$/),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), async (rows) => {
        const file = await csv(
          rows.map(([a, b]) => ({ a, b })),
          ['a', 'b'],
        );
        const [head, ...records] = recordsOf(file);
        expect(head).toEqual(['a', 'b']);
        const shown = records.map((record) =>
          record.map((text) =>
            text === undefined ? null : text.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, ''),
          ),
        );
        const written = rows.map((row) =>
          row.map((text) => text && text.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '')),
        );
        expect(shown).toEqual(written);
        expect(records.flat().filter((text) => /^[=+@\t\r\n]/.test(text ?? ''))).toEqual([]);
      }),
    );
  });

  it('writes each row once, with any size of page, and begins after a cursor', async () => {
    const rows = Array.from({ length: 10 }, (_, id) => ({ id }));
    for (const pageSize of [1, 3, 5, 10, 11]) {
      const lines = (await exported(rows, { pageSize })).split('\n').slice(0, -1);
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual(rows);
    }
    const parsed = parseQuery({ after: '8' }, undefined, { cursors: true });
    const { stream } = await exportPages(pagesOf(rows), parsed);
    expect(await textOf(stream)).toBe('{"id":8}\n{"id":9}\n');
  });

  it('fails after the most rows', async () => {
    const rows = Array.from({ length: 10 }, (_, id) => ({ id }));
    for (const pageSize of [1, 3, 5, 100]) {
      expect((await exported(rows, { pageSize, maxRows: 10 })).split('\n')).toHaveLength(11);
      await expect(exported(rows, { pageSize, maxRows: 9 })).rejects.toThrow(ExportLimitError);
    }
  });

  it('runs each page in the async context of the call', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const rows = Array.from({ length: 5 }, (_, id) => ({ id }));
    const fetchPage = pagesOf(rows, () => seen.push(storage.getStore()));
    const { stream } = await storage.run('tenant', () =>
      exportPages(fetchPage, parseQuery({}), { pageSize: 1 }),
    );
    await storage.run('other', () => textOf(stream));
    expect(seen).toEqual(Array(5).fill('tenant'));
  });

  it('stops by a signal, and tells the fetcher', async () => {
    const signals: AbortSignal[] = [];
    const rows = Array.from({ length: 5 }, (_, id) => ({ id }));
    const fetchPage = pagesOf(rows, (signal) => signals.push(signal));
    const controller = new AbortController();
    const options = { pageSize: 1, signal: controller.signal };
    const { stream } = await exportPages(fetchPage, parseQuery({}), options);
    controller.abort(new Error('enough'));
    await expect(textOf(stream)).rejects.toThrow();
    expect(signals.map(({ aborted }) => aborted)).toContain(true);
    expect(signals.length).toBeLessThan(3);
    await expect(exportPages(fetchPage, parseQuery({}), options)).rejects.toThrow('enough');
  });

  it('throws the reason of a signal that aborts during the first page', async () => {
    const reason = new Error('The server stops.');
    const canceled = () => Promise.reject(new Error('canceled by the driver'));
    for (const data of [() => Promise.resolve([{ id: 1 }]), canceled]) {
      const controller = new AbortController();
      const fetchPage = async () => {
        controller.abort(reason);
        return { data: await data(), cursorOf: () => '' };
      };
      const { signal } = controller;
      await expect(exportPages(fetchPage, parseQuery({}), { signal })).rejects.toBe(reason);
    }
  });

  it('leaves nothing behind in a signal that outlives the export', async () => {
    const { signal } = new AbortController();
    const kept = () => {
      const sets = Object.getOwnPropertySymbols(signal).map((key) => Reflect.get(signal, key));
      const sizes = sets.map((set) => (set instanceof Set ? set.size : 0));
      return sizes.reduce((sum, size) => sum + size, getEventListeners(signal, 'abort').length);
    };
    const rows = [{ id: 1 }, { id: 2 }];
    expect(await exported(rows, { signal, pageSize: 1 })).toBe('{"id":1}\n{"id":2}\n');
    const { stream } = await exportPages(pagesOf(rows), parseQuery({}), { signal, pageSize: 1 });
    stream.destroy();
    const broken = () => Promise.reject(new Error('no database'));
    await expect(exportPages(broken, parseQuery({}), { signal })).rejects.toThrow('no database');
    expect(kept()).toBe(0);
  });

  it('refuses formats, places and options that it does not have', async () => {
    const start = (options: object, query = {}) =>
      exportPages(pagesOf([]), parseQuery(query, undefined, { cursors: true }), options);
    await expect(start({ accept: 'application/json' })).rejects.toThrow(UnacceptableExportError);
    await expect(start({}, { before: 'x' })).rejects.toThrow(InvalidQueryError);
    for (const options of [
      { maxRow: 1 },
      { maxRows: 0 },
      { pageSize: 1.5 },
      { columns: [] },
      { signal: {} },
    ]) {
      await expect(start(options)).rejects.toThrow(InvalidQueryConfigError);
    }
    await expect(start({ maxRow: 1 })).rejects.toThrow(
      'exportPages({ maxRow }) is not an option. Did you mean maxRows?',
    );
  });
});
