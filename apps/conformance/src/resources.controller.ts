import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { McpResource } from '@fledge/mcp';
import { PNG } from './media.js';

/** Routes read by their URI. */
@Controller('resources')
export class ResourcesController {
  @Get('static-text')
  @Header('content-type', 'text/plain')
  @McpResource({
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text',
    mimeType: 'text/plain',
  })
  text(): string {
    return 'This is the content of the static text resource.';
  }

  @Get('static-binary')
  @McpResource({
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image',
    mimeType: 'image/png',
  })
  binary(): StreamableFile {
    return new StreamableFile(PNG, { type: 'image/png' });
  }

  @Get('watched')
  @Header('content-type', 'text/plain')
  @McpResource({
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text to subscribe to',
    mimeType: 'text/plain',
  })
  watched(): string {
    return 'Watched resource content.';
  }

  @Get('template/:id/data')
  @McpResource({
    uri: 'test://template/{id}/data',
    name: 'template-data',
    description: 'The data of an id',
    mimeType: 'application/json',
  })
  data(@Param('id') id: string): object {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}
