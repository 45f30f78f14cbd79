import { Controller, Get, Param } from '@nestjs/common';
import { McpTool } from '../../src/publish/decorators/mcp-tool.decorator.js';

@Controller('things')
export class ThingsController {
  @Get(':id')
  @McpTool({ name: 'things_get', description: 'Reads a thing' })
  get(@Param('id') id: string) {
    return { id };
  }
}

/** Calls the tool of the controller. */
export const CALL_THING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'things_get', arguments: { id: 'a' } },
};

/** The path of the endpoint. */
export const MESSAGE = '/_mcp/messages';
