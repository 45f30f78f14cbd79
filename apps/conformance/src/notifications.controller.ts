import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Post } from '@nestjs/common';
import { McpCall, McpCallInfo, McpTool } from '@fledge/mcp';

/** What a tool tells its caller while it runs. */
@Controller('notifications')
export class NotificationsController {
  @Post('progress')
  @McpTool({ name: 'test_tool_with_progress', description: 'Tells how far it is, three times' })
  async progress(@McpCallInfo() call: McpCall | undefined): Promise<string> {
    call?.progress(0, 100);
    await pause(50);
    call?.progress(50, 100);
    await pause(50);
    call?.progress(100, 100);
    return 'Done, in three steps.';
  }

  @Post('logging')
  @McpTool({ name: 'test_tool_with_logging', description: 'Logs three messages' })
  async logging(@McpCallInfo() call: McpCall | undefined): Promise<string> {
    call?.log('info', 'Tool execution started');
    await pause(50);
    call?.log('info', 'Tool processing data');
    await pause(50);
    call?.log('info', 'Tool execution completed');
    return 'Done, with three messages.';
  }

  @Post('reconnection')
  @McpTool({ name: 'test_reconnection', description: 'Closes its event stream, and answers later' })
  async reconnection(@McpCallInfo() call: McpCall | undefined): Promise<string> {
    call?.closeStream();
    await pause(100);
    return 'Done, after the client connected again.';
  }

  @Post('log')
  @McpTool({ name: 'test_logging_tool', description: 'Logs one message' })
  log(@McpCallInfo() call: McpCall | undefined): string {
    call?.log('error', 'Sent where the client asked for it');
    return 'Done, with one message.';
  }
}
