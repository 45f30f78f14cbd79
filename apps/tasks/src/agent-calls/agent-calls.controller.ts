import { Controller, Get } from '@nestjs/common';
import { LoadCompany, LoadUser } from '../users/caller.decorators.js';
import { type AgentCall, AgentCallsService } from './agent-calls.service.js';

const SHOWN = 100;

/** Shows a company what AI agents did for it. Not a tool: agents do not read their own trail. */
@LoadCompany
@LoadUser
@Controller('agent-calls')
export class AgentCallsController {
  constructor(private readonly calls: AgentCallsService) {}

  @Get()
  list(): Promise<AgentCall[]> {
    return this.calls.latest(SHOWN);
  }
}
