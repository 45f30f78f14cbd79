import type { McpAdapterOptions } from '@fledge/mcp';
import { redisSessions } from '@fledge/mcp/redis';
import { PREFIX, redisClient } from '../redis.js';

const MAX = 10_000;

/**
 * How a server keeps sessions and knows its callers. `resume`: streams can be resumed; `redis` and `redis-resume`: in
 * Redis; `oidc`: tokens of an issuer. Anything else is in memory, without authentication.
 * @param issuer URL of the issuer, which is the audience too
 */
export function serving(dress: string | undefined, issuer: string): Partial<McpAdapterOptions> {
  switch (dress) {
    case 'resume':
      return { sessions: { max: MAX, resume: true } };
    case 'redis':
      return { sessions: { max: MAX, store: store() } };
    case 'redis-resume':
      return { sessions: { max: MAX, resume: true, store: store() } };
    case 'oidc':
      return { auth: { type: 'oidc', issuer, audience: issuer, jwksUri: `${issuer}/keys` } };
    default:
      return {};
  }
}

function store() {
  return redisSessions({ client: redisClient(), prefix: `${PREFIX}:${process.pid}` });
}
