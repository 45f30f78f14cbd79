import { Controller, Get, StreamableFile, UnprocessableEntityException } from '@nestjs/common';
import { type McpContentBlock, McpTool } from '@fledge/mcp';
import { PNG, WAV } from './media.js';

/** Every kind of content a tool may answer, and an error. */
@Controller('content')
export class ContentController {
  @Get('text')
  @McpTool({ name: 'test_simple_text', description: 'Answers a text' })
  text(): string {
    return 'This is a simple text response for testing.';
  }

  @Get('image')
  @McpTool({ name: 'test_image_content', description: 'Answers an image' })
  image(): StreamableFile {
    return new StreamableFile(PNG, { type: 'image/png' });
  }

  @Get('audio')
  @McpTool({ name: 'test_audio_content', description: 'Answers a sound' })
  audio(): StreamableFile {
    return new StreamableFile(WAV, { type: 'audio/wav' });
  }

  @Get('resource')
  @McpTool({
    name: 'test_embedded_resource',
    description: 'Answers a resource inside of the result',
    content: 'blocks',
  })
  resource(): McpContentBlock[] {
    return [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ];
  }

  @Get('mixed')
  @McpTool({
    name: 'test_multiple_content_types',
    description: 'Answers a text, an image and a resource',
    content: 'blocks',
  })
  mixed(): McpContentBlock[] {
    return [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ];
  }

  @Get('error')
  @McpTool({ name: 'test_error_handling', description: 'Fails whenever it is called' })
  error(): never {
    throw new UnprocessableEntityException('This tool intentionally returns an error for testing');
  }
}
