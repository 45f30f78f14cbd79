import 'reflect-metadata';
import { McpModule, McpTool } from '@fledge/mcp';
import { Controller, Get, Module, Param } from '@nestjs/common';

@Controller('notes')
class NotesController {
  @Get(':id')
  @McpTool({ name: 'notes_get', description: 'Reads a note' })
  get(@Param('id') id: string) {
    return { id };
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'traced' })],
  controllers: [NotesController],
})
export class AppModule {}
