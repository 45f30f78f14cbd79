import { buildSchema } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { firstOperation } from './first-operation.js';
import { prettify } from './prettify.js';

describe('prettify()', () => {
  it('formats operations', () => {
    expect(prettify('query A($id:ID!){task(id:$id){id,title}} mutation{done}')).toBe(
      'query A($id: ID!) {\n  task(id: $id) {\n    id\n    title\n  }\n}\n\nmutation {\n  done\n}\n',
    );
  });

  it('keeps comments in their lines and places', () => {
    expect(
      prettify(
        '# One task.\nquery { # no name\n # the title\n task { title # of Ada\n } # end\n}\n# Bye',
      ),
    ).toBe(
      '# One task.\n{ # no name\n  # the title\n  task {\n    title # of Ada\n  } # end\n}\n# Bye\n',
    );
  });

  it('changes nothing a second time', () => {
    const once = prettify('# a\nquery{b(text:"""x\ny"""){c # d\n}}');
    expect(prettify(once)).toBe(once);
  });

  it('throws for a document with syntax errors', () => {
    expect(() => prettify('{')).toThrow('Syntax Error');
  });
});

describe('firstOperation()', () => {
  it('selects the first objects that need no arguments', () => {
    const schema = buildSchema(`
      type Query { version: String task(id: ID!): Task tasks(limit: Int): Page! }
      type Page { data: [Task!]! total: Int! }
      type Task { id: ID! title: String! owner: User comments(first: Int!): [String] }
      type User { name: String }
    `);
    expect(firstOperation(schema)).toBe(
      '{\n  tasks {\n    data {\n      id\n      title\n    }\n    total\n  }\n}',
    );
  });

  it('selects a field without fields of its own, or nothing', () => {
    expect(firstOperation(buildSchema('type Query { hello: String }'))).toBe('{\n  hello\n}');
    expect(
      firstOperation(buildSchema('type Query { hello(to: String!): String }')),
    ).toBeUndefined();
  });
});
