import { describe, expect, it } from '@jest/globals';
import { curlOf } from '@fledge-internal/ui/curl';
import { toolRequest } from './tool-request.js';

const tool = {
  verb: 'PATCH',
  url: '../tasks/:id',
  request: {
    places: [
      { argument: 'id', target: 'path', name: 'id' },
      { argument: 'filter', target: 'query', name: 'filter' },
      { argument: 'title', target: 'body', name: 'title' },
    ],
    body: 'fields',
  },
} as const;

describe('the HTTP request of a tool call', () => {
  it('has each argument in its place', () => {
    const args = { id: 'a/b', filter: ['status:in:open,done', 'x:eq:1'], title: "Ada's" };
    const request = toolRequest(tool, args);
    expect(request).toEqual({
      method: 'PATCH',
      url: '../tasks/a%2Fb?filter=status:in:open,done&filter=x:eq:1',
      body: '{\n  "title": "Ada\'s"\n}',
    });
    expect(curlOf({ ...request, headers: [['A', 'b']] })).toBe(
      [
        "curl -X PATCH '../tasks/a%2Fb?filter=status:in:open,done&filter=x:eq:1'",
        "-H 'A: b'",
        `--json '{\n  "title": "Ada'\\''s"\n}'`,
      ].join(' \\\n  '),
    );
  });

  it('has the members that a tool source gives, beside the arguments', () => {
    const places = [{ argument: 'id', target: 'body', name: 'id' }] as const;
    const request = { places, body: 'fields', members: { query: '{ a }' } } as const;
    const bodyOf = (more: object, args: object) =>
      JSON.parse(
        toolRequest(
          { verb: 'POST', url: '/graphql', request: { ...request, ...more } },
          { ...args },
        ).body ?? '',
      ) as unknown;
    expect(bodyOf({ argumentsIn: 'variables' }, { id: 1 })).toEqual({
      query: '{ a }',
      variables: { id: 1 },
    });
    expect(bodyOf({ argumentsIn: 'variables' }, {})).toEqual({ query: '{ a }', variables: {} });
    expect(bodyOf({}, { id: 1 })).toEqual({ query: '{ a }', id: 1 });
  });

  it('has a list in one text where the route reads it so', () => {
    const list = { separator: '|', form: 'joined' } as const;
    const request = {
      places: [
        { argument: 'tags', target: 'query', name: 'tags', list },
        { argument: 'ids', target: 'query', name: 'ids', list: { ...list, form: 'split' } },
      ],
      body: 'none',
    } as const;
    const args = { tags: ['a', 'b'], ids: ['c', 'd'] };
    expect(toolRequest({ verb: 'GET', url: '/tasks', request }, args).url).toBe(
      '/tasks?tags=a%7Cb&ids=c&ids=d',
    );
  });

  it('has no body without arguments for it', () => {
    expect(toolRequest(tool, { id: 5 })).toEqual({
      method: 'PATCH',
      url: '../tasks/5',
      body: undefined,
    });
  });
});
