import { describe, expect, it } from '@jest/globals';
import type { ContextResponse, RequestContext } from '@fledge/core';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantMaintenanceError } from '../tenant.errors.js';
import { Refusal } from './refusal.js';

describe('httpErrorOf', () => {
  const options = { errors: { opaque: false }, hooks: {} } as ResolvedTenantOptions;
  const refuse = (res: ContextResponse) => {
    const error = new TenantMaintenanceError(90);
    const ctx = { req: {}, res } as unknown as RequestContext;
    expect(new Refusal(options).httpErrorOf(error, ctx)).toBe(error);
  };

  it('sets Retry-After on a response of Node', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    refuse(response as never);
    expect(response.getHeader('retry-after')).toBe('90');
  });

  it('sets Retry-After on a reply of Fastify, which has no setHeader()', () => {
    const headers: Record<string, string> = {};
    refuse({
      statusCode: 200,
      header(this: object, name: string, value: string) {
        headers[name] = value;
      },
    });
    expect(headers).toEqual({ 'Retry-After': '90' });
  });

  it('returns the error for a response without headers', () => {
    refuse({ statusCode: 200 });
  });
});
