import { describe, expect, it } from '@jest/globals';
import { parse } from 'node:querystring';
import type { Tool } from '../registry/tool.js';
import type { ToolInput } from '../schema/tool-input.js';
import { ArgumentError } from './path-segment.js';
import { requestBuilderOf as builderOf } from './request-builder.js';

function toolOf(
  path: string,
  input: Pick<ToolInput, 'places' | 'body'> & Partial<ToolInput>,
  route: object = {},
): Tool {
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
  } as unknown as Tool;
}

const requestBuilderOf = (tool: Tool) => builderOf(tool, parse);

const ACCEPT = ['accept', 'application/json, */*;q=0.5'];

describe('requestBuilderOf', () => {
  it('puts each argument in its place, under its name there', () => {
    const build = requestBuilderOf(
      toolOf('/users/:id', {
        body: 'fields',
        places: [
          { argument: 'id__path', place: 'path', name: 'id' },
          { argument: 'notify', place: 'query', name: 'notify' },
          { argument: 'id', place: 'body', name: 'id' },
          { argument: 'nickname', place: 'body', name: 'nickname' },
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
    const places = [{ argument: 'body', place: 'body', name: 'body' }] as const;
    const request = requestBuilderOf(toolOf('/all', { body: 'whole', places }))({ body });
    expect(request.body?.toString()).toBe(text);
    expect(request.headers[3]).toBe(type);
  });

  it('sends what the schema lets in unnamed where the input says', () => {
    const places = [{ argument: 'id', place: 'path', name: 'id' }] as const;
    const args = { id: 'a', extra: 1 };
    const body = requestBuilderOf(toolOf('/x/:id', { body: 'fields', places, rest: 'body' }));
    const query = requestBuilderOf(toolOf('/x/:id', { body: 'none', places, rest: 'query' }));
    expect(String(body(args).body)).toBe('{"extra":1}');
    expect(query(args).url).toBe('/x/a?extra=1');
  });

  it('keeps the media type of the route, where it is one of JSON or a form', () => {
    const input = {
      body: 'fields',
      places: [{ argument: 'a', place: 'body', name: 'a' }],
    } as const;
    const send = (consumes: string) =>
      requestBuilderOf(toolOf('/', input, { consumes }))({ a: '&' });
    expect(send('application/merge-patch+json').headers).toContain('application/merge-patch+json');
    expect(String(send('application/x-www-form-urlencoded').body)).toBe('a=%26');
    expect(send('multipart/form-data').headers).toContain('application/json');
  });

  it.each([
    [{ kind: 'header', header: 'x-version', value: '2' }, [...ACCEPT, 'x-version', '2']],
    [{ kind: 'media-type', parameter: 'v=2' }, ['accept', 'application/json;v=2']],
  ])('asks for its version: %j', (version, headers) => {
    const build = requestBuilderOf(toolOf('/', { body: 'none', places: [] }, { version }));
    expect(build({}).headers).toEqual(headers);
  });

  it('refuses what no JSON writer can write', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const places = [{ argument: 'a', place: 'body', name: 'a' }] as const;
    const build = requestBuilderOf(toolOf('/', { body: 'fields', places }));
    expect(() => build({ a: deep })).toThrow(ArgumentError);
    expect(() => build({ a: deep })).toThrow('nested too deeply');
  });

  it('reads own arguments only', () => {
    const places = [{ argument: 'toString', place: 'path', name: 'toString' }] as const;
    const build = requestBuilderOf(toolOf('/:toString', { body: 'none', places }));
    expect(() => build({})).toThrow('Argument "toString" is missing');
  });
});
