import { parse } from 'node:querystring';
import { describe, expect, it } from '@jest/globals';
import type { OperationInput } from '../schema/operation-input.js';
import { ArgumentError } from '../../mcp.errors.js';
import { requestBuilderOf as builderOf } from './request-builder.js';

type Operation = Parameters<typeof builderOf>[0];

function operationOf(
  path: string,
  input: Pick<OperationInput, 'places' | 'body'> & Partial<OperationInput>,
  route: object = {},
): Operation {
  const pathParameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    kind: 'segment',
    optional: false,
  }));
  return {
    route: {
      verb: 'POST',
      path,
      pathParameters,
      consumes: 'application/json',
      version: { kind: 'none' },
      ...route,
    },
    input: { schema: {}, ...input },
  } as unknown as Operation;
}

const requestBuilderOf = (operation: Operation) => builderOf(operation, parse);

/** As the extended parser of Express. */
const readsObjects = (text: string) => {
  const [[name, value] = ['', '']] = new URLSearchParams(text);
  const [, outer = '', inner] = /^([^[]*)(?:\[(.*)\])?$/.exec(name) ?? [];
  return inner === undefined ? { [name]: value } : { [outer]: { [inner]: value } };
};

const ACCEPT = ['accept', 'application/json, */*;q=0.5'];

describe('requestBuilderOf', () => {
  it('puts each argument in its place, under its name there', () => {
    const build = requestBuilderOf(
      operationOf('/users/:id', {
        body: 'fields',
        places: [
          { argument: 'id__path', target: 'path', name: 'id' },
          { argument: 'notify', target: 'query', name: 'notify' },
          { argument: 'id', target: 'body', name: 'id' },
          { argument: 'nickname', target: 'body', name: 'nickname' },
        ],
      }),
    );
    const request = build({ id__path: 1, id: 2, nickname: null, notify: true });
    expect(request).toMatchObject({ method: 'POST', url: '/users/1?notify=true' });
    expect(String(request.body)).toBe('{"id":2,"nickname":null}');
    expect(request.headers).toEqual([
      ...ACCEPT,
      'content-type',
      'application/json',
      'content-length',
      '24',
    ]);
  });

  it.each<[string, unknown, string | undefined, string | undefined]>([
    ['an array', [1, 2], '[1,2]', 'application/json'],
    ['a text', 'hello', 'hello', 'text/plain; charset=utf-8'],
    ['null', null, 'null', 'application/json'],
    ['nothing', undefined, undefined, undefined],
  ])('sends %s as the whole body', (_, body, text, type) => {
    const places = [{ argument: 'body', target: 'body', name: 'body' }] as const;
    const request = requestBuilderOf(operationOf('/all', { body: 'whole', places }))({ body });
    expect(request.body?.toString()).toBe(text);
    expect(request.headers[3]).toBe(type);
  });

  it('sends what the schema lets in unnamed where the input says', () => {
    const places = [{ argument: 'id', target: 'path', name: 'id' }] as const;
    const args = { id: 'a', extra: 1 };
    const body = requestBuilderOf(operationOf('/x/:id', { body: 'fields', places, rest: 'body' }));
    const query = requestBuilderOf(operationOf('/x/:id', { body: 'none', places, rest: 'query' }));
    expect(String(body(args).body)).toBe('{"extra":1}');
    expect(query(args).url).toBe('/x/a?extra=1');
  });

  it.each<[name: string, fault: string]>([
    ['$top', 'is published as "top". Send it with that name'],
    ['page', 'is published as "page_size". Send it with that name'],
    ['page[size]', 'is published as "page_size". Send it with that name'],
    ['filter[$ne]', 'has a name that the route would read as an object. Send an object instead'],
  ])('rejects %s, which would replace a validated argument', (name, fault) => {
    const places = (target: 'query' | 'body') =>
      [
        { argument: 'top', target, name: '$top' },
        { argument: 'page_size', target, name: 'page[size]' },
      ] as const;
    const query = builderOf(
      operationOf('/x', { body: 'none', places: places('query'), rest: 'query' }),
      readsObjects,
    );
    const form = builderOf(
      operationOf(
        '/x',
        { body: 'fields', places: places('body'), rest: 'body' },
        { consumes: 'application/x-www-form-urlencoded' },
      ),
      parse,
    );
    for (const build of [query, form])
      expect(() => build({ top: 1, [name]: 2 })).toThrow(`Argument "${name}" ${fault}.`);
    expect(query({ top: 1, other: 2 }).url).toBe('/x?%24top=1&other=2');
    expect(String(form({ top: 1, other: 2 }).body)).toBe('%24top=1&other=2');
  });

  it('sends a name with brackets where the route reads it as a name', () => {
    const query = operationOf('/x', { body: 'none', places: [], rest: 'query' });
    expect(requestBuilderOf(query)({ 'filter[$ne]': 1 }).url).toBe('/x?filter%5B%24ne%5D=1');
    const body = operationOf('/x', { body: 'fields', places: [], rest: 'body' });
    expect(String(requestBuilderOf(body)({ 'filter[$ne]': 1 }).body)).toBe('{"filter[$ne]":1}');
  });

  it('reads the separator only in items that are text', () => {
    const list = { separator: ',', form: 'split' } as const;
    const places = [{ argument: 'ids', target: 'query', name: 'ids', list }] as const;
    const build = requestBuilderOf(operationOf('/x', { body: 'none', places }));
    expect(() => build({ ids: [{ toString: null }] })).toThrow(ArgumentError);
    expect(() => build({ ids: ['a,b'] })).toThrow('would read this item as several items');
    expect(build({ ids: [5] }).url).toBe('/x?ids=5');
  });

  it('keeps the media type of the route, where it is one of JSON or a form', () => {
    const input = {
      body: 'fields',
      places: [{ argument: 'a', target: 'body', name: 'a' }],
    } as const;
    const send = (consumes: string) =>
      requestBuilderOf(operationOf('/', input, { consumes }))({ a: '&' });
    expect(send('application/merge-patch+json').headers).toContain('application/merge-patch+json');
    expect(String(send('application/x-www-form-urlencoded').body)).toBe('a=%26');
    const form = operationOf('/', input, { consumes: 'application/x-www-form-urlencoded' });
    expect(String(requestBuilderOf(form)({ a: [1, 2] }).body)).toBe('a=1&a=2');
    expect(String(requestBuilderOf(form)({ a: [1] }).body)).toBe('{"a":[1]}');
    expect(String(requestBuilderOf(form)({ a: null }).body)).toBe('{"a":null}');
    expect(String(requestBuilderOf(form)({ a: [1, null] }).body)).toBe('{"a":[1,null]}');
    expect(send('multipart/form-data').headers).toContain('application/json');
  });

  it.each([
    [{ kind: 'header', header: 'x-version', value: '2' }, [...ACCEPT, 'x-version', '2']],
    [{ kind: 'media-type', parameter: 'v=2' }, ['accept', 'application/json;v=2']],
    [{ kind: 'media-type', parameter: undefined }, ['accept', 'application/json']],
  ])('asks for its version: %j', (version, headers) => {
    const build = requestBuilderOf(operationOf('/', { body: 'none', places: [] }, { version }));
    expect(build({}).headers).toEqual(headers);
  });

  it('refuses what JSON.stringify() cannot write', () => {
    // Node.js 26 can write plain values of any depth, but not a deep value with a `toJSON()`.
    let deep: unknown = new Date(0);
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const places = [{ argument: 'a', target: 'body', name: 'a' }] as const;
    const build = requestBuilderOf(operationOf('/', { body: 'fields', places }));
    expect(() => build({ a: deep })).toThrow(ArgumentError);
    expect(() => build({ a: deep })).toThrow('nested too deeply');
  });

  it('reads own arguments only', () => {
    const places = [{ argument: 'toString', target: 'path', name: 'toString' }] as const;
    const build = requestBuilderOf(operationOf('/:toString', { body: 'none', places }));
    expect(() => build({})).toThrow('Argument "toString" is required');
  });
});
