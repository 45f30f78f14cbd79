import { describe, expect, it } from '@jest/globals';
import { readGraphqlResponse } from './graphql-response.js';

function read(body: unknown, status = 200, complete = true) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = readGraphqlResponse({ status, body: text, complete });
  return { ...answer, body: answer.body === text ? 'unchanged' : answer.body };
}

const failure = { message: 'No', extensions: { code: 'FORBIDDEN' } };

describe('a GraphQL response', () => {
  it.each([
    ['data', { data: { a: 1 } }, false],
    ['data that is null', { data: { a: null } }, false],
    ['a field named errors', { data: { errors: [1] } }, false],
    ['an empty list of errors', { data: { a: 1 }, errors: [] }, false],
    ['no JSON', '"errors" <html>', false],
    ['a list', '[{"errors":[]}]', false],
  ])('with %s is kept', (_, body, failed) => {
    expect(read(body)).toEqual({ body: 'unchanged', failed });
  });

  it.each([
    ['no data', { errors: [failure] }],
    ['data: null', { errors: [failure], data: null }],
    ['only nulls as data', { errors: [failure], data: { a: null, b: null } }],
  ])('with errors and %s has failed, with the code of its first error', (_, body) => {
    expect(read(body)).toEqual({ body: 'unchanged', failed: true, code: 'FORBIDDEN' });
  });

  it('with errors and some data has not failed', () => {
    const body = { errors: [failure], data: { a: null, b: 0 } };
    expect(read(body)).toMatchObject({ body: 'unchanged', failed: false });
  });

  it('with a status of 300 and above has failed', () => {
    expect(read({ data: { a: 1 } }, 500).failed).toBe(true);
    expect(read({ errors: [failure], data: { a: 1 } }, 400).failed).toBe(true);
  });

  it('loses the stack traces of its errors, and nothing else', () => {
    const stacks = { stacktrace: ['at a.js:1'], exception: { stacktrace: ['b'] }, stack: 'c' };
    const errors = [{ message: 'No', path: ['a'], extensions: { code: 'X', ...stacks } }, 'odd'];
    const data = { a: { stack: 'hay', exception: 'no', stacktrace: 1 } };
    expect(JSON.parse(read({ errors, data, extensions: { trace: 1 } }).body)).toEqual({
      errors: [{ message: 'No', path: ['a'], extensions: { code: 'X' } }, 'odd'],
      data,
      extensions: { trace: 1 },
    });
  });

  it('is left out if it is cut where a stack trace may be', () => {
    const cut = '{"errors":[{"message":"No","extensions":{"stacktrace":["at a.js:1","at b';
    const answer = readGraphqlResponse({ status: 200, body: cut, complete: false });
    expect(answer.failed).toBe(true);
    expect(answer.body).not.toContain('a.js');
    expect(read('{"data":{"a":"stacktrace', 200, false)).toEqual({
      body: 'unchanged',
      failed: false,
    });
  });
});
