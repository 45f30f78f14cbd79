import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { PanelTenantQuestion } from '@fledge/core/packages';
import type { TenantRequest } from '../tenant.options.js';

/** A request as described in the panel. It comes from this machine and was not sent. */
export function describedRequest(question: PanelTenantQuestion): TenantRequest {
  const { method = 'GET', path = '/', host, headers = {} } = question;
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' });
  const request = new IncomingMessage(socket);
  request.method = method;
  request.url = path;
  const sent = { ...(host !== undefined && { host }), ...headers };
  for (const [name, value] of Object.entries(sent)) {
    request.headers[name.toLowerCase()] = value;
    request.rawHeaders.push(name, value);
  }
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
  return Object.assign(request, { originalUrl: path, query }) as unknown as TenantRequest;
}
