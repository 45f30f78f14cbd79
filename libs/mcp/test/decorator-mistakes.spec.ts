// A mistake in a decorator stops the startup, with its place and its fix. Otherwise the model would get a tool without
// a description, or no tool.
import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, type ModuleMetadata } from '@nestjs/common';
import { platforms } from '../../../test/support/platforms.js';
import {
  McpOptionError,
  McpPrompt,
  McpResource,
  McpTool,
  type McpToolOptions,
  NotARouteError,
} from '../src/index.js';
import { startApp } from './support/app.js';

describe.each(platforms)('on $name', ({ adapter }) => {
  async function start(metadata: ModuleMetadata): Promise<void> {
    const app = await startApp(adapter(), metadata);
    await app.close();
  }

  function controllerWith(decorator: MethodDecorator): new () => object {
    @Controller('notes')
    class NotesController {
      @Get() @decorator get() {}
    }
    return NotesController;
  }

  it.each<[unknown, string]>([
    [
      { desc: 'x' },
      '@McpTool({ desc }) on NotesController.get is not an option. Did you mean description?',
    ],
    [
      {},
      '@McpTool({ description }) on NotesController.get is missing. Describe the purpose in a sentence',
    ],
    [{ description: ' ' }, '@McpTool({ description }) on NotesController.get is missing.'],
    [undefined, '@McpTool() on NotesController.get is undefined, but must be an object with'],
    [
      { description: 'x', annotations: { readonly: true } },
      '@McpTool({ annotations.readonly }) on NotesController.get is not an option. Did you mean readOnlyHint?',
    ],
    [
      { description: 'x', annotations: { readOnlyHint: 'yes' } },
      '@McpTool({ annotations.readOnlyHint }) on NotesController.get is "yes", but must be true or false.',
    ],
    [
      { description: 'x', task: { requires: true } },
      '@McpTool({ task.requires }) on NotesController.get is not an option. Did you mean required?',
    ],
    [
      { description: 'x', ui: { resource: 'ui://board' } },
      '@McpTool({ ui.resource }) on NotesController.get is not an option. Did you mean resourceUri?',
    ],
    [
      { description: 'x', tags: 'notes' },
      '@McpTool({ tags }) on NotesController.get is "notes", but',
    ],
    [
      { description: 'x', timeoutMs: '5s' },
      '@McpTool({ timeoutMs }) on NotesController.get is "5s"',
    ],
    [
      { description: 'x', result: { maxByte: 1 } },
      '@McpTool({ result.maxByte }) on NotesController.get is not an option. Did you mean maxBytes?',
    ],
    [
      { description: 'x', examples: [{ description: 'y', arguments: {} }] },
      '@McpTool({ examples[0].arguments }) on NotesController.get is not an option.',
    ],
    [{ hidden: true, tag: [] }, '@McpTool({ tag }) on NotesController.get is not an option.'],
  ])('refuses @McpTool(%j)', async (options, message) => {
    const started = start({ controllers: [controllerWith(McpTool(options as McpToolOptions))] });
    await expect(started).rejects.toThrow(McpOptionError);
    await expect(started).rejects.toThrow(message);
  });

  it.each<[MethodDecorator, string]>([
    [
      McpResource({ uri: 'notes://all', mime: 'text/plain' } as never),
      '@McpResource({ mime }) on NotesController.get is not an option. Did you mean mimeType?',
    ],
    [
      McpResource({} as never),
      '@McpResource({ uri }) on NotesController.get is undefined, but must',
    ],
    [
      McpResource({ uri: 'ui://notes', ui: { border: true } } as never),
      '@McpResource({ ui.border }) on NotesController.get is not an option. Did you mean prefersBorder?',
    ],
    [
      McpResource({ uri: 'ui://notes', ui: { csp: { frameDomain: [] } } } as never),
      '@McpResource({ ui.csp.frameDomain }) on NotesController.get is not an option. Did you mean frameDomains?',
    ],
    [McpPrompt({} as never), '@McpPrompt({ description }) on NotesController.get is missing.'],
    [
      McpPrompt({ description: 'x', titel: 'y' } as never),
      '@McpPrompt({ titel }) on NotesController.get is not an option. Did you mean title?',
    ],
  ])('refuses a resource or a prompt', async (decorator, message) => {
    const started = start({ controllers: [controllerWith(decorator)] });
    await expect(started).rejects.toThrow(McpOptionError);
    await expect(started).rejects.toThrow(message);
  });

  it('starts with a hidden route that has no description', async () => {
    await start({ controllers: [controllerWith(McpTool({ hidden: true } as McpToolOptions))] });
  });

  it('starts with a method that overrides a decorated method', async () => {
    abstract class Base {
      @Get() @McpTool({ description: 'Reads', scopes: ['a'] }) get() {}
    }
    @Controller('notes')
    class NotesController extends Base {
      @Get() @McpTool({ description: 'Reads the notes' }) override get() {}
    }
    await start({ controllers: [NotesController] });
  });

  describe('a decorator in a provider', () => {
    @Injectable()
    class NotesService {
      @McpTool({ description: 'Reads the notes' }) get() {}
    }

    it.each<[string, ModuleMetadata]>([
      ['a class', { providers: [NotesService] }],
      ['a class of another name', { providers: [{ provide: 'notes', useClass: NotesService }] }],
      [
        'made by a factory',
        { providers: [{ provide: 'n', useFactory: () => new NotesService() }] },
      ],
      ['a value', { providers: [{ provide: 'notes', useValue: new NotesService() }] }],
    ])('stops the startup: %s', async (_name, metadata) => {
      const started = start(metadata);
      await expect(started).rejects.toThrow(NotARouteError);
      await expect(started).rejects.toThrow(
        'NotesService.get has @McpTool but is a method of a provider. Only routes can be published. Move the ' +
          'decorator to a route (with @Get(), @Post() or another verb) of a @Controller(), and call the provider from there.',
      );
    });

    it('is no mistake if the provider is a controller, too', async () => {
      @Controller('notes')
      class NotesController {
        @Get() @McpTool({ name: 'notes_get', description: 'Reads the notes' }) get() {}
      }
      const providers = [
        NotesController,
        { provide: 'null', useValue: Object.create(null) as object },
        { provide: 'plain', useValue: {} },
        { provide: 'text', useFactory: () => 'text' },
      ];
      await start({ controllers: [NotesController], providers });
    });
  });
});

describe.each<[string, (title: string) => MethodDecorator]>([
  ['McpTool', (title) => McpTool({ description: 'x', title })],
  ['McpResource', (title) => McpResource({ uri: 'notes://all', title })],
  ['McpPrompt', (title) => McpPrompt({ description: 'x', title })],
])('@%s', (name, decorator) => {
  it('twice on a method is refused, because the options of one would be lost', () => {
    const declare = () => {
      class NotesController {
        @decorator('first') @decorator('second') get() {}
      }
      return NotesController;
    };
    expect(declare).toThrow(McpOptionError);
    expect(declare).toThrow(
      `NotesController.get has @${name} twice, but only one can apply. Keep one of them.`,
    );
  });

  // JavaScript has no compiler that refuses these.
  it('on a class or a property is refused', () => {
    class NotesController {}
    const decorate = decorator('first') as (target: object, key?: string) => void;
    expect(() => decorate(NotesController)).toThrow(NotARouteError);
    expect(() => decorate(NotesController)).toThrow(
      `NotesController has @${name} but is not a method. Move the decorator to a route.`,
    );
    expect(() => decorate(NotesController.prototype, 'get')).toThrow(
      `NotesController.get has @${name} but is not a method.`,
    );
  });
});
