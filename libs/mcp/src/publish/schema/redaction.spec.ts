import { describe, expect, it, jest } from '@jest/globals';
import { redactionOf, resultRedactionOf } from './redaction.js';

const SECRET = { type: 'string', writeOnly: true };

describe('redactionOf', () => {
  it.each<[string, object, object, object]>([
    [
      'writeOnly',
      { properties: { pin: SECRET, id: {} } },
      { pin: 1, id: 2 },
      { pin: '[redacted]', id: 2 },
    ],
    [
      'format: password',
      { properties: { pin: { format: 'password' } } },
      { pin: 'a' },
      { pin: '[redacted]' },
    ],
    [
      'a mark in a nested object, and in each item of a list',
      {
        properties: {
          user: { properties: { pin: SECRET, name: {} } },
          users: { items: { properties: { pin: SECRET } } },
        },
      },
      { user: { pin: 'a', name: 'b' }, users: [{ pin: 'a' }, { pin: 'b', x: 1 }] },
      {
        user: { pin: '[redacted]', name: 'b' },
        users: [{ pin: '[redacted]' }, { pin: '[redacted]', x: '[redacted]' }],
      },
    ],
    [
      'a mark behind a reference, in a schema that refers to itself',
      {
        properties: { node: { $ref: '#/$defs/Node' } },
        $defs: { Node: { properties: { pin: SECRET, next: { $ref: '#/$defs/Node' } } } },
      },
      { node: { pin: 1, next: { next: { pin: 2 } } } },
      { node: { pin: '[redacted]', next: { next: { pin: '[redacted]' } } } },
    ],
    [
      'a mark in one branch of several',
      { properties: { a: { anyOf: [{ type: 'number' }, { allOf: [SECRET] }] } } },
      { a: 5 },
      { a: '[redacted]' },
    ],
    [
      'a property that the schema does not accept: a misspelled name',
      { properties: { password: SECRET }, additionalProperties: false },
      { passwrod: 'a' },
      { passwrod: '[redacted]' },
    ],
    [
      'text where an object belongs: it may be JSON with secrets',
      { properties: { user: { type: 'object', properties: { pin: SECRET } } } },
      { user: '{"pin":"a"}' },
      { user: '[redacted]' },
    ],
    [
      'marks of free members',
      { properties: { all: { additionalProperties: SECRET } } },
      { all: { a: 1 } },
      { all: { a: '[redacted]' } },
    ],
  ])('replaces %s', (_, schema, args, expected) => {
    expect(redactionOf(schema as never, [])(args as never)).toEqual(expected);
  });

  it('replaces the arguments that @McpTool names, with what is in them', () => {
    const redact = redactionOf({}, ['card', 'user.pin']);
    expect(redact({ card: { no: 1 }, user: [{ pin: 1, id: 2 }], pin: 3 })).toEqual({
      card: '[redacted]',
      user: [{ pin: '[redacted]', id: 2 }],
      pin: 3,
    });
  });

  it('replaces the named arguments at any depth of a result, and at their own depth otherwise', () => {
    const account = { type: 'object', properties: { iban: {}, user: { properties: { pin: {} } } } };
    const schema = { type: 'object', properties: { account } };
    const value = { account: { iban: 'DE', user: { pin: 1, id: 2 } } };
    expect(redactionOf(schema, ['iban', 'user.pin'])(value)).toEqual(value);
    expect(resultRedactionOf(schema, {}, ['iban'])(value)).toEqual({
      account: { iban: '[redacted]', user: { pin: 1, id: 2 } },
    });
    const shown = resultRedactionOf(schema, {}, ['user.pin'])(value);
    expect(JSON.stringify(shown)).not.toContain('1');
  });

  it('keeps what is not secret, and does not change the arguments', () => {
    const args = { id: 5, list: [1, 'a', null], pin: 'a', ['__proto__']: 1 };
    const schema = { properties: { pin: SECRET, id: {}, list: {} } };
    expect(redactionOf(schema, [])(args)).toEqual({
      id: 5,
      list: [1, 'a', null],
      pin: '[redacted]',
      ['__proto__']: '[redacted]',
    });
    expect(args.pin).toBe('a');
  });

  const CARDS = {
    type: 'object',
    properties: {
      card: { $ref: '#/$defs/Card' },
      cards: { type: 'array', items: { $ref: '#/$defs/Card' } },
      pair: { prefixItems: [{ $ref: '#/$defs/Card' }, { type: 'string' }] },
      byName: { type: 'object', additionalProperties: { $ref: '#/$defs/Card' } },
      either: { anyOf: [{ $ref: '#/$defs/Card' }, { type: 'string' }] },
      title: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      size: { type: 'object', properties: { width: { type: 'number' } } },
      any: {},
    },
    patternProperties: { '^s_': SECRET },
    $defs: { Card: { type: 'object', properties: { pin: SECRET, name: { type: 'string' } } } },
  };

  it.each([
    { cards: { pin: 'S' } },
    { cards: [[{ pin: 'S' }]] },
    { cards: { 0: { pin: 'S' } } },
    { cards: 'S' },
    { cards: 5 },
    { cards: ['S'] },
    { cards: '[{"pin":"S"}]' },
    { cards: [{ pin: { value: 'S' } }] },
    { cards: [{ name: { pin: 'S' } }] },
    { cards: [{ pins: ['S'] }] },
    { card: [{ pin: 'S' }] },
    { card: 'S' },
    { card: { Pin: 'S' } },
    { card: { card: { pin: 'S' } } },
    { pair: { 0: { pin: 'S' } } },
    { pair: [[{ pin: 'S' }]] },
    { byName: [{ pin: 'S' }] },
    { byName: { a: [{ pin: 'S' }] } },
    { byName: { a: { b: { pin: 'S' } } } },
    { either: [{ pin: 'S' }] },
    { s_x: 'S' },
    { s_x: { a: 'S' } },
    { unknown: 'S' },
    { pin: 'S' },
  ])('replaces what a schema with secrets does not describe: %j', (args) => {
    const shown = JSON.stringify(redactionOf(CARDS, [])(args));
    expect(shown).toContain('[redacted]');
    expect(shown).not.toMatch(/S|5/);
    const named = { ...CARDS, $defs: { Card: unmarked(CARDS.$defs.Card) } };
    const redact = ['card.pin', 'cards.pin', 'pair.pin', 'byName.pin', 'either.pin'];
    if ('byName' in args) return;
    expect(JSON.stringify(redactionOf(named, redact)(args))).not.toMatch(/S|5/);
  });

  const WRONG = [
    { title: ['x'] },
    { title: { a: 'x' } },
    { tags: { 0: 'x' } },
    { tags: '["x"]' },
    { size: ['x'] },
    { size: { width: { a: 'x' } } },
  ];

  it.each(WRONG)(
    'replaces an object or a list that does not belong next to secrets: %j',
    (args) => {
      expect(JSON.stringify(redactionOf(CARDS, [])(args))).not.toContain('x');
    },
  );

  it.each([
    { title: 5 },
    { tags: 'x' },
    { size: 'x' },
    { size: { height: 1 } },
    { any: { pin: 'x' } },
    { cards: null },
    { cards: [{ name: 'x' }] },
    { cards: [{ name: 5 }] },
    { pair: [{ name: 'x' }, 'x'] },
    { either: 'x' },
  ])('keeps a rejected value that no secret covers: %j', (args) => {
    expect(redactionOf(CARDS, [])(args)).toEqual(args);
  });

  it.each(WRONG)('keeps every value where nothing is secret: %j', (args) => {
    const { title, tags, size } = CARDS.properties;
    expect(redactionOf({ type: 'object', properties: { title, tags, size } }, [])(args)).toEqual(
      args,
    );
  });

  it('finds named secrets at any depth where no schema describes the value', () => {
    const redact = redactionOf({}, ['pin', 'user.name']);
    const result = {
      data: [{ pin: 1, id: 2 }],
      user: { name: 'a', id: 3 },
      text: '{"pin":1}',
      word: 'pin',
    };
    expect(redact(result)).toEqual({
      data: [{ pin: '[redacted]', id: 2 }],
      user: { name: '[redacted]', id: 3 },
      text: '[redacted]',
      word: 'pin',
    });
    expect(redact('{"pin":1}')).toBe('[redacted]');
    expect(redact('the pin is set')).toBe('the pin is set');
  });
});

it('keeps no memory of the values that it redacts', () => {
  const schema = {
    type: 'object',
    properties: { rows: { items: { properties: { any: true, pin: SECRET } } } },
  };
  const redact = redactionOf(schema, []);
  const rows = Array.from({ length: 100 }, () => ({ any: 1, pin: 2 }));
  const stored = new Set<unknown>();
  const set = jest.spyOn(Map.prototype, 'set');
  try {
    redact({ rows });
    for (const [key] of set.mock.calls) stored.add(key);
  } finally {
    set.mockRestore();
  }
  expect(stored.size).toBeLessThan(10);
});

function unmarked({ properties, ...card }: { properties: Record<string, object> }) {
  return { ...card, properties: { ...properties, pin: { type: 'string' } } };
}
