import { describe, expect, it } from '@jest/globals';
import { errorAttributes, networkAttributes } from './call-attributes.js';

const FAILED = { kind: 'tool', outcome: 'error' } as const;

describe('errorAttributes()', () => {
  it('name cancelled calls, but no other requests that the client ends', () => {
    expect(errorAttributes({ kind: 'tool', outcome: 'cancelled' }, undefined)).toEqual({
      'error.type': 'cancelled',
    });
    expect(errorAttributes({ kind: undefined, outcome: 'cancelled' }, undefined)).toEqual({});
  });

  it.each([-32700, -32600, -32601, -32602, -32002])(
    'has no error type for %d, the client’s',
    (code) => {
      expect(errorAttributes(FAILED, code)).toEqual({ 'rpc.response.status_code': String(code) });
    },
  );

  it('has the code as error type for other errors, and tool_error for results', () => {
    expect(errorAttributes(FAILED, -32603)).toEqual({
      'rpc.response.status_code': '-32603',
      'error.type': '-32603',
    });
    expect(errorAttributes(FAILED, 'TAKEN')).toEqual({ 'error.type': 'tool_error' });
    expect(errorAttributes({ kind: 'tool', outcome: 'ok' }, undefined)).toEqual({});
  });
});

it.each([
  ['1.1', '1.1'],
  ['2.0', '2'],
])('networkAttributes() calls HTTP %s version %s', (httpVersion, version) => {
  expect(networkAttributes({ transport: 'tcp', httpVersion })).toEqual({
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'network.protocol.version': version,
  });
});
