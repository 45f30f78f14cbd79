import { Controller, Get, Query } from '@nestjs/common';
import { McpTool } from '@fledge/mcp';

/** A tool whose argument clients repeat as the header `Mcp-Param-Region`. */
@Controller('headers')
export class HeadersController {
  @Get()
  @McpTool({
    name: 'test_custom_header',
    description: 'Returns its argument',
    headers: { region: 'Region' },
  })
  region(@Query('region') region: string) {
    return { region };
  }
}
