import type * as Kysely from 'kysely';
import { optionalPeer } from '../resolve/optional-peer.js';

/** Kysely's template tag. */
export const { sql } = optionalPeer('kysely', '@fledge/query/kysely') as typeof Kysely;
