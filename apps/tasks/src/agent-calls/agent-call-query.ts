import type { ParsedQuery } from '@fledge/query';
import type { DrizzleQueryConfig } from '@fledge/query/drizzle';
import { agentCalls } from '../database/schema.js';

/** The columns by which a company may filter and sort its calls. */
export const AGENT_CALL_QUERY = {
  columns: {
    at: agentCalls.at,
    user: agentCalls.userId,
    tool: agentCalls.tool,
    outcome: agentCalls.outcome,
  },
  // Cursors have milliseconds and would cut off microseconds, which the column could store. The
  // application only writes milliseconds.
  sortable: { at: { column: agentCalls.at, hasCursors: true } },
  defaultSort: 'at:desc',
  primaryKey: agentCalls.id,
} as const satisfies DrizzleQueryConfig;

export type AgentCallQuery = ParsedQuery<typeof AGENT_CALL_QUERY>;
