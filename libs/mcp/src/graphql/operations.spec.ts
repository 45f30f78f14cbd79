import { describe, expect, it } from '@jest/globals';
import { Source } from 'graphql';
import { commentAbove } from './comments.js';
import { operationsOf } from './operations.js';

function read(files: Readonly<Record<string, string>>) {
  const faults: string[] = [];
  const sources = Object.entries(files).map(([name, text]) => new Source(text, name));
  const operations = operationsOf(sources, (place, fault) => faults.push(`${place}: ${fault}`));
  return { operations, faults };
}

describe('the operations of files', () => {
  it('have the name of the operation, else that of their file, and the place of their text', () => {
    const { operations, faults } = read({
      'tools/some-tasks.graphql': '\n  { a }',
      'two.gql': 'query A { a } mutation B { b }',
    });
    expect(faults).toEqual([]);
    expect(operations.map(({ name, place }) => [name, place])).toEqual([
      ['some-tasks', 'tools/some-tasks.graphql:2:3'],
      ['A', 'two.gql:1:1'],
      ['B', 'two.gql:1:15'],
    ]);
  });

  it('are sent with the fragments they use, from any file, and without comments', () => {
    const { operations } = read({
      'a.graphql': '# A\nquery A { a { ...F } }\nfragment F on X { ...G b # b\n }',
      'b.graphql': 'fragment G on X { c }\nfragment H on X { d }\nquery B { a { ...H } }',
    });
    expect(operations.map(({ text }) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'query A { a { ...F } } fragment F on X { ...G b } fragment G on X { c }',
      'query B { a { ...H } } fragment H on X { d }',
    ]);
  });

  it('are sent without descriptions', () => {
    const text = '"One" query A("two" $x: Int) { a(x: $x) }';
    const [operation] = read({ 'a.graphql': text }).operations;
    expect(operation?.text.replaceAll(/\s+/g, ' ')).toBe('query A($x: Int) { a(x: $x) }');
  });

  it.each([
    [
      'a file that does not parse',
      'query A { a',
      'a.graphql:1:12: Syntax Error: Expected Name, found <EOF>',
    ],
    ['an empty file', '# only this', 'a.graphql:1:12: Syntax Error: Unexpected <EOF>'],
    [
      'a second operation beside one without a name',
      'query B { b } { a }',
      'a.graphql:1:15: an operation without a name must be the only operation in its file. ' +
        'Give it a name',
    ],
    [
      'a fragment that is defined twice',
      'fragment F on A { a }\n fragment F on A { a }',
      'a.graphql:2:2: the fragment "F" is also defined at a.graphql:1:1. Rename one of the two',
    ],
    [
      'a type definition',
      'type Task { id: ID }',
      'a.graphql:1:1: this is a type definition, but operation files may contain only operations ' +
        'and fragments. Move the operations to a separate folder',
    ],
  ])('are refused, with their place: %s', (_, text, fault) => {
    expect(read({ 'a.graphql': text }).faults).toEqual([fault]);
  });
});

describe('the comment above an operation', () => {
  it.each<[string, string, string | undefined]>([
    ['each line of it', '# One\n#   two\nquery A { a }', 'One\ntwo'],
    ['none', 'query A { a }', undefined],
    ['not above a blank line', '# License\n\n# One\nquery A { a }', 'One'],
    ['not above a blank line that follows', '# License\n\nquery A { a }', undefined],
    ['not behind other text', 'query B { b } # of B\nquery A { a }', undefined],
    ['not inside', 'query A { # inside\n a }', undefined],
    ['not imports', '#import "./f.graphql"\n# One\nquery A { a }', 'One'],
    ['empty lines of it', '# One\n#\n# two\nquery A { a }', 'One\n\ntwo'],
    ['nothing of nothing', '#\nquery A { a }', undefined],
    ['with carriage returns', '# One\r\n# two\r\nquery A { a }', 'One\ntwo'],
  ])('is %s', (_, text, expected) => {
    const { operations } = read({ 'a.graphql': text });
    const operation = operations.find(({ name }) => name === 'A');
    expect(operation && commentAbove(operation.node)).toBe(expected);
  });
});
