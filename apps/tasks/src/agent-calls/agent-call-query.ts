import type { ParsedQuery } from '@fledge/query';
import type { DrizzleQueryConfig } from '@fledge/query/drizzle';
import { agentCalls } from '../database/schema.js';

/** The columns that a company may filter and sort its calls by. */
export const AGENT_CALL_QUERY = {
  columns: {
    at: agentCalls.at,
    user: agentCalls.userId,
    tool: agentCalls.tool,
    outcome: agentCalls.outcome,
  },
  // The column could store microseconds, which cursors cut. The application writes milliseconds.
  sortable: { at: { column: agentCalls.at, hasCursors: true } },
  defaultSort: 'at:desc',
  primaryKey: agentCalls.id,
} as const satisfies DrizzleQueryConfig;

export type AgentCallQuery = ParsedQuery<typeof AGENT_CALL_QUERY>;
