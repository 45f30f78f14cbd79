import { describe, expect, it } from '@jest/globals';
import { buildSchema, type ValidationRule } from 'graphql';
import { readValues } from '@fledge-internal/options';
import { placeOf, PROTECTION } from '../graphql.defaults.js';
import type { ProtectionOptions } from './protection.options.js';
import { Protection } from './protection.js';

const schema = buildSchema('type Query { hello: String world: String }');

const protectionWith = (options: ProtectionOptions = {}) =>
  new Protection(readValues(options, PROTECTION, placeOf('spec')), () => schema);

/** Counts the documents it sees. */
function counting() {
  const seen = { documents: 0 };
  const rule: ValidationRule = () => ({ Document: () => void (seen.documents += 1) });
  return { seen, rule };
}

/** Parses and validates, as each request does. */
function take(protection: Protection, source: string) {
  const document = protection.parse(source);
  protection.validate(schema, document);
  return document;
}

describe('Protection', () => {
  it('caches a parsed document, validated for each schema', () => {
    const { seen, rule } = counting();
    const protection = protectionWith({ validationRules: [rule] });
    const document = take(protection, '{ hello }');
    expect(take(protection, '{ hello }')).toBe(document);
    expect(protection.validate(schema, document)).toEqual([]);
    expect(protection.validate(schema, document)).toEqual([]);
    expect(seen.documents).toBe(1);
    const other = buildSchema('type Query { other: String }');
    expect(protection.validate(other, document)).toHaveLength(1);
    expect(seen.documents).toBe(2);
  });

  it('caches the most recently used documents up to its size', () => {
    const protection = protectionWith({ documentCache: 2 });
    const first = take(protection, '{ hello }');
    const second = take(protection, '{ world }');
    take(protection, '{ hello }');
    take(protection, '{ hello world }');
    expect(take(protection, '{ hello }')).toBe(first);
    expect(take(protection, '{ world }')).not.toBe(second);
  });

  it.each([false, 1] as const)(
    'keeps nothing with documentCache %p beyond that',
    (documentCache) => {
      const { seen, rule } = counting();
      const protection = protectionWith({ documentCache, validationRules: [rule] });
      for (const source of ['{ hello }', '{ world }', '{ hello }']) {
        protection.validate(schema, protection.parse(source));
      }
      expect(seen.documents).toBe(3);
    },
  );

  it.each([
    ['nodes', `{${' hello'.repeat(300)} }`],
    ['comments', `{ hello ${'#\n'.repeat(300)} }`],
    ['characters', `{ hello } #${'x'.repeat(50_000)}`],
  ])('does not cache a document of many %s, which evicts none', (_what, large) => {
    const protection = protectionWith({ documentCache: 2, limits: { rootFields: false } });
    const small = take(protection, '{ hello }');
    expect(take(protection, large)).not.toBe(take(protection, large));
    expect(take(protection, '{ hello }')).toBe(small);
  });

  it('bounds the memory of all documents together', () => {
    const protection = protectionWith({ documentCache: 4, limits: { rootFields: false } });
    const first = take(protection, `{${' hello'.repeat(100)} }`);
    for (let i = 0; i < 6; i += 1) take(protection, `{${' hello'.repeat(150)} } #${i}`);
    expect(take(protection, `{${' hello'.repeat(100)} }`)).not.toBe(first);
  });

  it('does not cache invalid documents', () => {
    const protection = protectionWith();
    expect(take(protection, '{ nothing }')).not.toBe(take(protection, '{ nothing }'));
    const parsed = protection.parse('{ hello }');
    expect(protection.parse('{ hello }')).not.toBe(parsed);
  });

  it('does not cache text with a syntax error', () => {
    const protection = protectionWith();
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

  it('accepts 15,000 tokens, or the configured number', () => {
    const fields = (count: number) => `{${' hello'.repeat(count)} }`;
    expect(() => protectionWith().parse(fields(14_998))).not.toThrow();
    expect(() => protectionWith().parse(fields(14_999))).toThrow(/15000 tokens/);
    expect(() => protectionWith({ maxTokens: 20_000 }).parse(fields(14_999))).not.toThrow();
  });

  it('hides names and types if introspection is off', () => {
    const messages = (introspection: boolean) => {
      const protection = protectionWith({ introspection });
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
