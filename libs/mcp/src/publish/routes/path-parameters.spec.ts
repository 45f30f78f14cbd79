import { describe, expect, it } from '@jest/globals';
import { pathParametersOf } from './path-parameters.js';

describe('pathParametersOf', () => {
  it.each([
    ['/tasks', []],
    ['/tasks/:id', [{ name: 'id', kind: 'segment', optional: false }]],
    [
      '/:owner/files/*path',
      [
        { name: 'owner', kind: 'segment', optional: false },
        { name: 'path', kind: 'wildcard', optional: false },
      ],
    ],
    ['/tasks{/:id}', [{ name: 'id', kind: 'segment', optional: true }]],
    [
      '/:from-:to',
      [
        { name: 'from', kind: 'segment', optional: false },
        { name: 'to', kind: 'segment', optional: false },
      ],
    ],
    ['/tasks/:id(^\\d+$)', [{ name: 'id', kind: 'segment', optional: false }]],
    ['/tasks/:id?', [{ name: 'id', kind: 'segment', optional: true }]],
    ['/tasks::run', []],
    ['/tasks/:', undefined],
  ])('reads %s', (path, parameters) => {
    expect(pathParametersOf(path)).toEqual(parameters);
  });
});
