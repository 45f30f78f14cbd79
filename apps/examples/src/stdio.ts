// For a desktop client, which starts the server as a process and talks to it on stdin and stdout.
// Its configuration: { "command": "node", "args": ["dist/stdio.js"], "env": { "FLEDGE_MCP_STDIO": "1" } }
// Without the variable the same program listens on a port.
import 'reflect-metadata';
import { McpModule, McpTool } from '@fledge/mcp';
import { Controller, Get, Logger, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const NOTES = ['Buy bread', 'Call Ada', 'Bake bread'];

@Controller('notes')
class NotesController {
  private readonly logger = new Logger('Notes');

  @Get()
  @McpTool({ name: 'notes_search', description: 'Finds notes that contain a text' })
  search(@Query('text') text: string) {
    // Logs go to stderr: stdout belongs to the protocol.
    this.logger.log(`search for ${text}`);
    return NOTES.filter((note) => note.includes(text));
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'notes', sessions: { max: 10 } })],
  controllers: [NotesController],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
await app.listen(process.env['PORT'] ?? 3000);
