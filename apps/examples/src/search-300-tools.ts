// 300 tools, of which clients list four: a pinned one, `search_tools`, `read_tool` and `call_tool`.
import 'reflect-metadata';
import {
  Body,
  Controller,
  Delete,
  Get,
  Module,
  Param,
  Patch,
  Post,
  Query,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '@fledge/mcp';

const NOUNS = [
  ...['order', 'payment', 'invoice', 'customer', 'product', 'shipment', 'subscription', 'coupon'],
  ...[
    'user',
    'report',
    'webhook',
    'ticket',
    'cart',
    'warehouse',
    'review',
    'employee',
    'timesheet',
  ],
  ...['contract', 'lead', 'campaign', 'supplier', 'return', 'category', 'tax', 'currency'],
  ...['notification', 'document', 'meeting', 'budget', 'project'],
];

/** Ten routes, each a tool. */
function controllerOf(noun: string): Type {
  const tool = (action: string, description: string) =>
    McpTool({ name: `${noun}_${action}`, description });

  @Controller(noun)
  class NounController {
    @Get()
    @tool('list', `Lists every ${noun}, the newest first`)
    list(@Query('page') page?: string) {
      return { list: noun, page: page ?? '1' };
    }

    @Get('export')
    @tool('export', `Downloads the data of each ${noun} as CSV`)
    export() {
      return `id,${noun}`;
    }

    @Get(':id')
    @tool('get', `Reads one ${noun}`)
    get(@Param('id') id: string) {
      return { [noun]: id };
    }

    @Get(':id/history')
    @tool('history', `Shows who changed a ${noun}, and when`)
    history(@Param('id') id: string) {
      return { [noun]: id, changes: [] };
    }

    @Post()
    @tool('create', `Creates a ${noun}`)
    create(@Body('title') title: string) {
      return { [noun]: title };
    }

    @Patch(':id')
    @tool('update', `Changes the title of a ${noun}`)
    update(@Param('id') id: string, @Body('title') title: string) {
      return { [noun]: id, title };
    }

    @Delete(':id')
    @tool('delete', `Deletes a ${noun} for good`)
    delete(@Param('id') id: string) {
      return { deleted: id };
    }

    @Post(':id/archive')
    @tool('archive', `Takes a ${noun} out of the lists and keeps its data`)
    archive(@Param('id') id: string) {
      return { archived: id };
    }

    @Post(':id/restore')
    @tool('restore', `Brings an archived ${noun} back`)
    restore(@Param('id') id: string) {
      return { restored: id };
    }

    @Post(':id/assign')
    @tool('assign', `Makes a colleague responsible for a ${noun}`)
    assign(@Param('id') id: string, @Body('colleague') colleague: string) {
      return { [noun]: id, colleague };
    }
  }
  return NounController;
}

@Module({
  imports: [
    McpModule.forRoot({
      name: 'shop',
      sessions: { max: 10 },
      search: { pinned: ['order_list'] },
    }),
  ],
  controllers: NOUNS.map(controllerOf),
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(process.env['PORT'] ?? 3000);
