import { Controller, Get } from '@nestjs/common';
import type { CursorResponse } from '@fledge/query';
import { Paginate, type Paginator, Qs } from '@fledge/query/nest';
import { LoadCompany, LoadUser } from '../users/caller.decorators.js';
import { AGENT_CALL_QUERY, type AgentCallQuery } from './agent-call-query.js';
import { type AgentCall, AgentCallsService } from './agent-calls.service.js';

/**
 * Shows a company what AI agents did for it. This is not a tool, so agents cannot read their own
 * audit trail.
 */
@LoadCompany
@LoadUser
@Controller('agent-calls')
export class AgentCallsController {
  constructor(private readonly calls: AgentCallsService) {}

  @Get()
  list(
    @Qs(AGENT_CALL_QUERY, { cursors: true }) query: AgentCallQuery,
    @Paginate() paginate: Paginator,
  ): Promise<CursorResponse<AgentCall>> {
    return paginate(() => this.calls.list(query, paginate.cursor));
  }
}
