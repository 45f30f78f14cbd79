import { describe, expect, it } from '@jest/globals';
import { errorAttributesOf, networkAttributesOf } from './call-attributes.js';

describe('errorAttributesOf()', () => {
  it.each([-32700, -32600, -32601, -32602, -32002])(
    'has no error type for %d, the client’s',
    (code) => {
      expect(errorAttributesOf(code)).toEqual({ 'rpc.response.status_code': String(code) });
    },
  );

  it('has the code as error type for other errors, and tool_error for results', () => {
    expect(errorAttributesOf(-32603)).toEqual({
      'rpc.response.status_code': '-32603',
      'error.type': '-32603',
    });
    expect(errorAttributesOf('TAKEN')).toEqual({ 'error.type': 'tool_error' });
    expect(errorAttributesOf(undefined)).toEqual({});
  });
});

it.each([
  ['1.1', '1.1'],
  ['2.0', '2'],
])('networkAttributesOf() calls HTTP %s version %s', (httpVersion, version) => {
  expect(networkAttributesOf({ transport: 'tcp', httpVersion })).toEqual({
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'network.protocol.version': version,
  });
});
