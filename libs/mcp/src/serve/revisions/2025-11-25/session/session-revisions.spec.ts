import { describe, expect, it } from '@jest/globals';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { negotiatedRevision, SESSION_REVISIONS } from './session-revisions.js';

describe('the protocol version of a session', () => {
  it.each(SESSION_REVISIONS)('is %s if the client requests it', (protocolVersion) => {
    expect(negotiatedRevision({ protocolVersion })).toBe(protocolVersion);
  });

  it.each(['2026-07-28', '2030-01-01', '2025-11-24', '', 'latest', 7, null])(
    'is the newest if the client requests %j',
    (protocolVersion) => {
      expect(negotiatedRevision({ protocolVersion })).toBe('2025-11-25');
    },
  );

  it('is the newest if the client requests none', () => {
    expect(negotiatedRevision({})).toBe('2025-11-25');
    expect(negotiatedRevision(undefined)).toBe('2025-11-25');
  });

  it('is one of those that the official SDK supports', () => {
    expect(SESSION_REVISIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
  });
});
