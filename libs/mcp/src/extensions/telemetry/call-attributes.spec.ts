import { describe, expect, it } from '@jest/globals';
import { errorAttributes, networkAttributes } from './call-attributes.js';

describe('errorAttributes()', () => {
  it.each([-32700, -32600, -32601, -32602, -32002])(
    'has no error type for %d, the client’s',
    (code) => {
      expect(errorAttributes(code)).toEqual({ 'rpc.response.status_code': String(code) });
    },
  );

  it('has the code as error type for other errors, and tool_error for results', () => {
    expect(errorAttributes(-32603)).toEqual({
      'rpc.response.status_code': '-32603',
      'error.type': '-32603',
    });
    expect(errorAttributes('TAKEN')).toEqual({ 'error.type': 'tool_error' });
    expect(errorAttributes(undefined)).toEqual({});
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
