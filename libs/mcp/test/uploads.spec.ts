// A tool call carries no file, so a route that needs one is no tool.
import { describe, expect, it } from '@jest/globals';
import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Param,
  Post,
  RawBody,
  Req,
  type Type,
  UploadedFile,
  UploadedFiles,
  UseInterceptors,
} from '@nestjs/common';
import {
  AnyFilesInterceptor,
  ExpressAdapter,
  FileFieldsInterceptor,
  FileInterceptor,
  FilesInterceptor,
  NoFilesInterceptor,
} from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import { McpPrompt, McpTool } from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { platforms } from '../../../test/support/platforms.js';

const Tool = () => McpTool({ description: 'x' });

class OwnUploadInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<{ isMultipart?(): boolean }>();
    request.isMultipart?.();
    return next.handle();
  }
}

@Controller('a')
class OneFile {
  @Post() @Tool() upload(@UploadedFile() file?: { size: number }) {
    return { size: file?.size };
  }
}
@Controller('b')
class ManyFiles {
  @Post() @Tool() upload(@UploadedFiles() _files: unknown) {}
}
@Controller('c')
class Single {
  @Post() @Tool() @UseInterceptors(FileInterceptor('file')) upload(@Req() _request: unknown) {}
}
@Controller('d')
class List {
  @Post() @Tool() @UseInterceptors(FilesInterceptor('files')) upload(@Body() _body: unknown) {}
}
@Controller('e')
class Fields {
  @Post() @Tool() @UseInterceptors(FileFieldsInterceptor([{ name: 'a' }])) upload() {}
}
@Controller('f')
class AnyFiles {
  @Post() @Tool() @UseInterceptors(new (AnyFilesInterceptor())()) upload() {}
}
@Controller('g')
class Inherited {
  @Post() @Tool() @UseInterceptors(class extends FileInterceptor('file') {}) upload() {}
}
@Controller('h')
class OfOwnMaking {
  @Post()
  @Tool()
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(OwnUploadInterceptor)
  upload(@Req() _request: unknown) {}
}
@Controller('i')
class Documented {
  @Post() @Tool() @ApiConsumes('multipart/form-data') upload(@Req() _request: unknown) {}
}
@Controller('j')
class DocumentedBinary {
  @Post() @Tool() @ApiConsumes('image/png', 'Application/Octet-Stream') upload(
    @RawBody() _: unknown,
  ) {}
}
@Controller('k')
@ApiConsumes('multipart/form-data')
class DocumentedClass {
  @Post() @Tool() upload(@Body() _body: unknown) {}
}
@Controller('l')
@UseInterceptors(FileInterceptor('file'))
class InterceptedClass {
  @Post() @Tool() upload(@Req() _request: unknown) {}
}

const uploads: [string, Type][] = [
  OneFile,
  ManyFiles,
  Single,
  List,
  Fields,
  AnyFiles,
  Inherited,
  OfOwnMaking,
  Documented,
  DocumentedBinary,
  DocumentedClass,
  InterceptedClass,
].map((controller) => [controller.name, controller]);

/** Routes beside an upload, and one that reads its fields as JSON too. */
@Controller('files')
@ApiConsumes('multipart/form-data')
@UseInterceptors(FileInterceptor('file'))
class FilesController {
  @Get() @Tool() list() {
    return ['a.txt'];
  }
  @Post(':id/publish') @Tool() publish(@Param('id') id: string) {
    return { id };
  }
  @Post() @McpTool({ description: 'x', hidden: true }) upload(@UploadedFile() _file: unknown) {}
}

@Controller('forms')
class FormsController {
  @Post()
  @Tool()
  @ApiConsumes('multipart/form-data', 'application/json')
  @UseInterceptors(NoFilesInterceptor())
  create(@Body() body: object) {
    return body;
  }
}

@Controller('prompts')
class PromptController {
  @Post() @McpPrompt({ description: 'x' }) upload(@UploadedFile() _file: unknown) {}
}

describe.each(platforms)('an upload route on $name', ({ adapter }) => {
  const start = (mode: 'explicit' | 'auto', ...types: Type[]): Promise<RunningApp> =>
    startApp(adapter(), { ...controllers(...types), mcp: { mode } });

  it('is exposed by no mark of an upload in auto mode', async () => {
    const running = await start('auto', ...uploads.map(([, type]) => type), FormsController);
    const client = await running.connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['FormsController.create']);
    await client.leave();
    await running.close();
  });

  it.each(uploads)('fails the boot in explicit mode: %s', async (name, controller) => {
    const boot = start('explicit', controller).then((running) => running.close());
    await expect(boot).rejects.toMatchObject({
      code: 'MCP_NOT_A_ROUTE',
      message: expect.stringMatching(
        new RegExp(
          `^${name}\\.upload has @McpTool but .*\\. A tool call cannot send files\\. Remove`,
        ),
      ),
    });
  });

  it.each(['explicit', 'auto'] as const)('fails the boot as a prompt, %s mode', async (mode) => {
    const boot = start(mode, PromptController).then((running) => running.close());
    await expect(boot).rejects.toThrow('PromptController.upload has @McpPrompt but reads');
  });

  it('hides no route beside it, and may carry hidden: true', async () => {
    const running = await start('explicit', FilesController, FormsController);
    const client = await running.connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'FilesController.list',
      'FilesController.publish',
      'FormsController.create',
    ]);
    expect(textOf(await client.call('FilesController.publish', { id: '1' }))).toBe('{"id":"1"}');
    await client.leave();
    await running.close();
  });
});

describe('an upload route on Express', () => {
  it('still takes its file over HTTP', async () => {
    @Controller('files')
    class UploadController {
      @Post()
      @UseInterceptors(FileInterceptor('file'))
      upload(@UploadedFile() file: { size: number }) {
        return { size: file.size };
      }
    }
    const running = await startApp(new ExpressAdapter(), {
      ...controllers(UploadController),
      mcp: { mode: 'auto' },
    });
    const body = new FormData();
    body.append('file', new Blob(['12345']), 'a.txt');
    const answer = await fetch(`${running.url}/files`, { method: 'POST', body });
    expect(await answer.json()).toEqual({ size: 5 });
    await running.close();
  });
});
