import { describe, expect, it } from '@jest/globals';
import { buildSchema, type ValidationRule } from 'graphql';
import { Protection } from './protection.js';

const schema = buildSchema('type Query { hello: String world: String }');

/** Counts the documents it sees. */
function counting() {
  const seen = { documents: 0 };
  const rule: ValidationRule = () => ({ Document: () => void (seen.documents += 1) });
  return { seen, rule };
}

describe('Protection', () => {
  it('keeps a text parsed, and validated for each schema', () => {
    const { seen, rule } = counting();
    const protection = new Protection({ validationRules: [rule] });
    const document = protection.parse('{ hello }');
    expect(protection.parse('{ hello }')).toBe(document);
    expect(protection.validate(schema, document)).toEqual([]);
    expect(protection.validate(schema, document)).toEqual([]);
    expect(seen.documents).toBe(1);
    const other = buildSchema('type Query { other: String }');
    expect(protection.validate(other, document)).toHaveLength(1);
    expect(seen.documents).toBe(2);
  });

  it('keeps as many documents as asked, those used last', () => {
    const protection = new Protection({ documentCache: 2 });
    const first = protection.parse('{ hello }');
    const second = protection.parse('{ world }');
    protection.parse('{ hello }');
    protection.parse('{ hello world }');
    expect(protection.parse('{ hello }')).toBe(first);
    expect(protection.parse('{ world }')).not.toBe(second);
  });

  it.each([false, 1] as const)(
    'keeps nothing with documentCache %p beyond that',
    (documentCache) => {
      const { seen, rule } = counting();
      const protection = new Protection({ documentCache, validationRules: [rule] });
      for (const source of ['{ hello }', '{ world }', '{ hello }']) {
        protection.validate(schema, protection.parse(source));
      }
      expect(seen.documents).toBe(3);
    },
  );

  it('does not let long documents take up the memory of all', () => {
    const protection = new Protection({ documentCache: 2 });
    const short = protection.parse('{ hello }');
    const long = protection.parse(`{ hello } #${'x'.repeat(5000)}`);
    expect(protection.parse('{ hello }')).not.toBe(short);
    expect(protection.parse(`{ hello } #${'x'.repeat(5000)}`)).not.toBe(long);
  });

  it('does not keep what is no document', () => {
    const protection = new Protection();
    const thrown = () => {
      try {
        return protection.parse('{');
      } catch (error) {
        return error;
      }
    };
    expect(thrown()).toMatchObject({ extensions: { code: 'GRAPHQL_PARSE_FAILED' } });
    expect(thrown()).not.toBe(thrown());
  });

  it('takes 15 000 tokens, or as many as set', () => {
    const fields = (count: number) => `{${' hello'.repeat(count)} }`;
    expect(() => new Protection().parse(fields(14_998))).not.toThrow();
    expect(() => new Protection().parse(fields(14_999))).toThrow(/15000 tokens/);
    expect(() => new Protection({ maxTokens: 20_000 }).parse(fields(14_999))).not.toThrow();
  });

  it('hides names and types where introspection is off', () => {
    const messages = (introspection: boolean) => {
      const protection = new Protection({ introspection });
      return protection
        .validate(schema, protection.parse('{ helo __schema { description } }'))
        .map(({ message }) => message);
    };
    expect(messages(true)).toEqual([
      'Cannot query field "helo" on type "Query". Did you mean "hello"?',
    ]);
    expect(messages(false)).toEqual([
      'Cannot query field "helo" on type "Query".',
      expect.stringContaining('introspection has been disabled'),
    ]);
  });
});
