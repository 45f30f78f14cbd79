import { describe, expect, it } from '@jest/globals';
import { redactionOf } from './redaction.js';

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
        users: [{ pin: '[redacted]' }, { pin: '[redacted]', x: 1 }],
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

  it('keeps what is not secret, and does not change the arguments', () => {
    const args = { id: 5, list: [1, 'a', null], pin: 'a', ['__proto__']: 1 };
    const schema = { properties: { pin: SECRET } };
    expect(redactionOf(schema, [])(args)).toEqual({ ...args, pin: '[redacted]' });
    expect(args.pin).toBe('a');
  });
});
