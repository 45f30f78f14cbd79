import { describe, expect, it } from '@jest/globals';
import { Body, type CustomDecorator, Param, ParseIntPipe, Query } from '@nestjs/common';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { inputOf, routeOf } from '../../../test/schema-routes.js';
import type { JsonSchema, StandardSchema } from '../decorators/author-schema.js';
import { McpTool } from '../decorators/mcp-tool.decorator.js';
import type { HttpMethod } from '../../mcp.definitions.js';

class Paging {
  @IsInt() @IsOptional() page?: number;
}
class Dto {
  @IsString() title!: string;
}

class Things {
  find(
    @Param('id', ParseIntPipe) _id: number,
    @Query('deep') _deep: string,
    @Query() _paging: Paging,
  ) {}
  create(@Body() _dto: Dto) {}
  remove(@Body('reason') _reason: string) {}
  bulk(@Body() _list: string[]) {}
  unconvertible(@Query({ schema: z3.object({}) }) _query: unknown, @Query('q') _q: string) {}
  none() {}
}

/** The input of a method as if it carried `@McpTool({ inputSchema })`. */
function inputWith(
  inputSchema: StandardSchema | JsonSchema,
  method: keyof Things,
  verb: HttpMethod,
  path = '/things',
) {
  class Subject extends Things {}
  const handler = { [method]: function (this: void) {} }[method];
  Object.defineProperty(Subject.prototype, method, {
    value: handler,
    configurable: true,
    writable: true,
  });
  (
    McpTool({ description: 'A tool', inputSchema }) as (
      ...args: unknown[]
    ) => CustomDecorator | void
  )(Subject.prototype, method, { value: handler });
  const { parameters } = routeOf(Things, method, verb, path);
  return inputOf({ ...routeOf(Subject, method, verb, path), parameters, label: `Things.${method}` })
    .input;
}

const VERBATIM: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://example.com/thing',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    mode: { enum: ['a', 'b'] },
    address: { $ref: '#address' },
  },
  required: ['id'],
  $defs: { Address: { $anchor: 'address', type: 'object', patternProperties: { '^x-': {} } } },
  allOf: [{ properties: { extra: { type: 'string' } } }],
  if: { properties: { mode: { const: 'a' } } },
  then: { required: ['address'] },
  else: { properties: { other: { type: 'number' } } },
  unevaluatedProperties: false,
};

describe('@McpTool({ inputSchema })', () => {
  it('keeps a JSON Schema to the letter', () => {
    const input = inputWith(VERBATIM, 'find', 'GET', '/things/:id');
    expect(JSON.stringify(input.schema)).toBe(JSON.stringify(VERBATIM));
    expect(input.rest).toBeUndefined();
    expect(Object.isFrozen(VERBATIM)).toBe(false);
  });

  it('finds a place for every property any branch names', () => {
    expect(
      inputWith(VERBATIM, 'find', 'GET', '/things/:id').places.map(({ argument, target }) => [
        argument,
        target,
      ]),
    ).toEqual([
      ['id', 'path'],
      ['mode', 'query'],
      ['address', 'query'],
      ['extra', 'query'],
      ['other', 'query'],
    ]);
  });

  it('adds path parameters, required, and closes a plain list of properties', () => {
    const input = inputWith(
      { type: 'object', properties: { deep: { type: 'boolean' } } },
      'find',
      'GET',
      '/things/:id',
    );
    expect(input).toEqual({
      schema: {
        type: 'object',
        properties: { deep: { type: 'boolean' }, id: { type: 'integer' } },
        required: ['id'],
        additionalProperties: false,
      },
      places: [
        { argument: 'deep', target: 'query', name: 'deep' },
        { argument: 'id', target: 'path', name: 'id' },
      ],
      body: 'none',
    });
  });

  it('says where arguments go that an open schema lets in', () => {
    const open = { type: 'object', additionalProperties: true };
    expect(inputWith(open, 'create', 'POST')).toEqual({
      schema: { ...open, properties: {} },
      places: [],
      body: 'fields',
      rest: 'body',
    });
    expect(inputWith(open, 'none', 'GET')).toEqual({
      schema: { ...open, properties: {} },
      places: [],
      body: 'none',
      rest: 'query',
    });
  });

  it.each<[keyof Things, HttpMethod, string, string]>([
    ['find', 'GET', 'query', 'none'],
    ['create', 'POST', 'body', 'fields'],
    ['create', 'PATCH', 'body', 'fields'],
    ['none', 'PUT', 'body', 'fields'],
    ['none', 'DELETE', 'query', 'none'],
    ['remove', 'DELETE', 'body', 'fields'],
  ])('places the rest by verb: %s with %s', (method, verb, place, body) => {
    const input = inputWith({ type: 'object', properties: { note: {}, page: {} } }, method, verb);
    expect(input.places[0]).toEqual({ argument: 'note', target: place, name: 'note' });
    expect(input.places[1]?.target).toBe(method === 'find' ? 'query' : place);
    expect(input.body).toBe(body);
  });

  it('sends the argument "body" whole where the route reads an array', () => {
    expect(
      inputWith({ type: 'object', properties: { body: { type: 'array' } } }, 'bulk', 'POST').body,
    ).toBe('whole');
    expect(
      inputWith({ type: 'object', properties: { body: { type: 'string' } } }, 'create', 'POST')
        .body,
    ).toBe('fields');
  });

  it('converts a Standard Schema, which stands in for parameters that cannot be', () => {
    const input = inputWith(
      z.object({ q: z.string(), page: z.coerce.number().optional() }),
      'unconvertible',
      'GET',
    );
    expect(input.schema).toEqual({
      type: 'object',
      properties: { q: { type: 'string' }, page: { type: 'number' } },
      required: ['q'],
      additionalProperties: false,
    });
  });

  it('refuses unknown arguments of a union as well', () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]);
    const input = inputWith(union, 'none', 'GET', '/things/:id');
    expect(input.schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1 },
        a: { type: 'string' },
        b: { type: 'number' },
      },
      required: ['id'],
      additionalProperties: false,
    });
    expect(input.accepted).toMatchObject({
      type: 'object',
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      required: ['id'],
      unevaluatedProperties: false,
    });
  });

  it('merges the parts of a schema whose root clients reject', () => {
    const { schema, accepted } = inputWith(
      {
        type: 'object',
        properties: { id: { type: 'integer' }, mode: { enum: ['a', 'b'] } },
        required: ['id'],
        allOf: [
          { $ref: '#/$defs/Named' },
          {
            oneOf: [
              {
                properties: { mode: { const: 'a' }, size: { minimum: 1 } },
                required: ['mode', 'a'],
              },
              { properties: { mode: { const: 'c' }, size: { maximum: 9 } }, required: ['mode'] },
            ],
          },
        ],
        not: { required: ['never'] },
        if: { properties: { mode: { const: 'a' } } },
        then: { required: ['size'] },
        $defs: {
          Named: { properties: { name: { type: 'string' } }, required: ['name'] },
          Unused: { type: 'string' },
        },
      },
      'find',
      'GET',
      '/things/:id',
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        mode: { type: 'string', enum: ['a', 'b', 'c'] },
        name: { type: 'string' },
        size: { anyOf: [{ minimum: 1 }, { maximum: 9 }] },
      },
      required: ['id', 'name', 'mode'],
    });
    expect(Object.keys(accepted ?? {})).toContain('allOf');
  });

  it('turns references to anchors into pointers, and lists into lists of items', () => {
    const { schema } = inputWith(
      {
        type: 'object',
        properties: { a: { $ref: '#spot' }, b: { type: 'array', prefixItems: [{}], items: false } },
        $defs: { 'A/B': { $anchor: 'spot', type: ['array', 'null'] } },
      },
      'create',
      'POST',
    );
    expect(schema).toMatchObject({
      properties: { a: { $ref: '#/$defs/A~1B' }, b: { prefixItems: [{}], items: {}, maxItems: 1 } },
      $defs: { 'A/B': { items: {} } },
    });
  });

  it.each<[string, StandardSchema | JsonSchema, string]>([
    ['an array', { type: 'array' }, 'the schema has type "array"'],
    ['no type', { properties: {} }, "Set type: 'object'"],
    ['a zod string', z.string(), 'the schema has type "string"'],
    ['zod 3', z3.object({}), 'zod 4.2 or newer'],
    [
      'a lost reference',
      { type: 'object', properties: { a: { $ref: '#/$defs/A' } } },
      'the reference "#/$defs/A" has no target',
    ],
    ['no object', 'object' as never, 'the schema must be a JSON Schema object'],
  ])('fails at boot: %s', (_, schema, message) => {
    expect(() => inputWith(schema, 'none', 'POST')).toThrow(message);
    expect(() => inputWith(schema, 'none', 'POST')).toThrow('inputSchema of Things.none');
  });
});
