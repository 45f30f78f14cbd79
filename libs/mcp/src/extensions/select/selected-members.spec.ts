import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pathsOf, selectMembers } from './selected-members.js';
import { countCalls } from '../../../../../test/support/count-calls.js';

function select(value: unknown, paths: readonly string[]): readonly string[] {
  const content = [{ type: 'text', text: JSON.stringify(value) }] as const;
  const selected = selectMembers({ content, isError: false }, paths);
  return selected.content.map((block) => (block.type === 'text' ? block.text : block.type));
}

const TASK = { id: 1, title: 'a', owner: { name: 'Ada', mail: 'x' }, tags: [{ n: 1, m: 2 }] };

describe('selectMembers', () => {
  it('keeps members, members of members, and those of the items of lists', () => {
    expect(select(TASK, ['id', 'owner.name', 'tags.n'])).toEqual([
      '{"id":1,"owner":{"name":"Ada"},"tags":[{"n":1}]}',
    ]);
    expect(select([TASK, [TASK]], ['id'])).toEqual(['[{"id":1},[{"id":1}]]']);
    expect(select({ data: [TASK] }, ['data.title'])).toEqual(['{"data":[{"title":"a"}]}']);
  });

  it('keeps a whole member that is also selected in part', () => {
    expect(select(TASK, ['owner.name', 'owner', 'owner'])).toEqual([
      '{"owner":{"name":"Ada","mail":"x"}}',
    ]);
  });

  it('names a path that is nowhere, and the members that are there', () => {
    expect(select(TASK, ['id', 'titel', 'owner.nam'])).toEqual([
      '{"id":1,"owner":{}}',
      '(there is no field "titel"; instead of "titel", these exist: id, title, owner, tags)',
      '(there is no field "owner.nam"; instead of "nam", these exist: name, mail)',
    ]);
    expect(select([], ['id'])).toEqual(['[]']);
    expect(select({ data: [] }, ['data.id'])).toEqual(['{"data":[]}']);
    expect(select([{ a: 1 }, { b: 1 }], ['b'])).toEqual(['[{},{"b":1}]']);
    expect(select({ a: null }, ['a.b'])[1]).toMatch(/these exist: none\)$/);
  });

  it('limits the notes about many paths, and reads each record once for all of them', () => {
    const records = Array.from({ length: 50 }, () => ({ ['n'.repeat(1_000)]: 1 }));
    const paths = Array.from({ length: 100 }, (_, i) => `x${i}`);
    let texts: readonly string[] = [];
    const reads = countCalls(Object, 'keys', () => (texts = select(records, paths)));
    expect(reads).toBe(50);
    expect(texts).toHaveLength(12);
    expect(texts[1]).toBe(
      `(there is no field "x0"; instead of "x0", these exist: ${'n'.repeat(128)})`,
    );
    expect(texts[11]).toBe('(90 more of the selected fields do not exist)');
  });

  it('treats inherited names as any other', () => {
    expect(select({ id: 1 }, ['constructor', '__proto__.polluted'])[0]).toBe('{}');
    const text = '{"__proto__":{"a":1,"b":2},"id":1}';
    const content = [{ type: 'text', text }] as const;
    expect(selectMembers({ content, isError: false }, ['__proto__.a']).content).toEqual([
      { type: 'text', text: '{"__proto__":{"a":1}}' },
    ]);
  });

  it('leaves texts, scalars and JSON that is too deep as they are', () => {
    const deep = '['.repeat(300) + ']'.repeat(300);
    for (const text of ['plain', '5', 'null', '{"a":', deep]) {
      const result = { content: [{ type: 'text', text } as const], isError: false };
      expect(selectMembers(result, ['a'])).toEqual(result);
    }
  });

  it('never throws, and never adds a member', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.string()), (json, paths) => {
        const result = { content: [{ type: 'text', text: json } as const], isError: false };
        const [first] = selectMembers(result, paths).content;
        const text = first?.type === 'text' ? first.text : '';
        expect(text.length).toBeLessThanOrEqual(
          Math.max(json.length, JSON.stringify(JSON.parse(json)).length),
        );
      }),
    );
  });
});

describe('pathsOf', () => {
  it.each([
    [
      ['id', ' owner.name '],
      ['id', 'owner.name'],
    ],
    ['id, owner.name,', ['id', 'owner.name']],
    [undefined, []],
    [null, []],
    [[1], undefined],
    [{ id: true }, undefined],
  ])('reads %j', (value, paths) => expect(pathsOf(value)).toEqual(paths));
});
