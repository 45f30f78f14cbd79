// Imported, not required: Kysely is ESM only since 0.29, which Jest cannot require before Node.js 24.9.
import * as kysely from 'kysely';
import { checkPeer } from '../resolve/supported-peers.js';

checkPeer('kysely', '@fledge/query/kysely');

/** Kysely's template tag. */
export const { sql } = kysely;
