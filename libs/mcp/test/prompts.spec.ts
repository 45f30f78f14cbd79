// Routes as prompts, through both official clients.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, ForbiddenException, Get, Param, Post, Query } from '@nestjs/common';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import { IsInt, IsString } from 'class-validator';
import { McpAdapter, McpPrompt } from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient, eras } from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';

class Draft {
  @IsString() title!: string;
  @IsInt() points!: number;
}

@Controller('prompts')
class PromptsController {
  @Get('tones')
  tones(@Query('value') value: string) {
    return ['kind', 'keen', 'dry'].filter((tone) => tone.startsWith(value));
  }

  @Get('review/:id')
  @McpPrompt({
    name: 'review',
    title: 'Review',
    description: 'Reviews a task',
    complete: { tone: 'tones' },
  })
  review(@Param('id') id: string, @Query('tone') tone?: string) {
    return `Review task ${id}${tone ? `, be ${tone}` : ''}.`;
  }

  @Post('draft')
  @McpPrompt({ name: 'draft', description: 'Drafts a task' })
  draft(@Body() { title, points }: Draft) {
    return {
      description: `Drafts ${title}`,
      messages: [
        { role: 'user', content: `${title}: ${points + 1}` },
        {
          role: 'assistant',
          content: { type: 'resource', resource: { uri: 'tasks://1', text: 'one' } },
        },
      ],
    };
  }

  @Get('list')
  @McpPrompt({ name: 'list', description: 'A list of messages' })
  list() {
    return [{ role: 'user', content: { type: 'text', text: 'first' } }];
  }

  @Get('wrong')
  @McpPrompt({ name: 'wrong', description: 'Answers no messages' })
  wrong() {
    return { answer: 42 };
  }

  @Get('forbidden')
  @McpPrompt({ name: 'forbidden', description: 'Is not for you' })
  forbidden() {
    throw new ForbiddenException({ message: 'no', code: 'NOT_YOURS' });
  }
}

describe.each(platforms)('prompts on $name', ({ adapter }) => {
  let running: RunningApp;
  let client: EraClient | undefined;

  beforeEach(async () => {
    running = await startApp(adapter(), controllers(PromptsController));
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await running.close();
  });

  it('are told by the adapter', () => {
    expect(running.app.get(McpAdapter).getPrompts()[0]).toEqual({
      name: 'review',
      description: 'Reviews a task',
      httpMethod: 'GET',
      mountPath: '/prompts/review/:id',
      arguments: [
        { name: 'id', required: true },
        { name: 'tone', required: false },
      ],
    });
  });

  it('cannot be changed through the adapter', () => {
    const prompts = running.app.get(McpAdapter).getPrompts();
    const [review] = prompts;
    for (const part of [prompts, review, review?.arguments, ...(review?.arguments ?? [])]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  describe.each(eras)('for clients of %s', (era) => {
    async function connected(): Promise<ModernClient> {
      client = await connectEra(era, running.endpoint);
      return client.client as ModernClient;
    }

    it('are listed with their arguments', async () => {
      const { prompts } = await (await connected()).listPrompts();
      expect(prompts.slice(0, 2)).toEqual([
        {
          name: 'review',
          title: 'Review',
          description: 'Reviews a task',
          arguments: [
            { name: 'id', required: true },
            { name: 'tone', required: false },
          ],
        },
        {
          name: 'draft',
          description: 'Drafts a task',
          arguments: [
            { name: 'title', required: true },
            { name: 'points', required: true },
          ],
        },
      ]);
    });

    it('give the messages of their route', async () => {
      const sdk = await connected();
      const text = (value: string) => ({ type: 'text', text: value });
      expect(
        await sdk.getPrompt({ name: 'review', arguments: { id: '7', tone: 'kind' } }),
      ).toMatchObject({
        description: 'Reviews a task',
        messages: [{ role: 'user', content: text('Review task 7, be kind.') }],
      });
      expect(
        await sdk.getPrompt({ name: 'draft', arguments: { title: 'Tea', points: '2' } }),
      ).toMatchObject({
        description: 'Drafts Tea',
        messages: [
          { role: 'user', content: text('Tea: 3') },
          {
            role: 'assistant',
            content: { type: 'resource', resource: { uri: 'tasks://1', text: 'one' } },
          },
        ],
      });
      expect((await sdk.getPrompt({ name: 'list' })).messages).toHaveLength(1);
    });

    it.each<[string, Record<string, string>, RegExp]>([
      ['nothing', {}, /Unknown prompt: nothing/],
      ['review', {}, /Invalid arguments for prompt "review".*id/],
      ['draft', { title: 'Tea', points: 'two' }, /Invalid arguments.*points/],
      ['review', { id: '7', other: 'x' }, /Invalid arguments.*other/],
      ['wrong', {}, /returned no messages/],
      ['forbidden', {}, /403 .*NOT_YOURS/],
    ])('answer %s(%j) with an error', async (name, args, message) => {
      const sdk = await connected();
      await expect(sdk.getPrompt({ name, arguments: args })).rejects.toThrow(message);
    });

    it('complete their arguments', async () => {
      const sdk = await connected();
      const { completion } = await sdk.complete({
        ref: { type: 'ref/prompt', name: 'review' },
        argument: { name: 'tone', value: 'k' },
      });
      expect(completion.values).toEqual(['kind', 'keen']);
      await expect(
        sdk.complete({
          ref: { type: 'ref/prompt', name: 'nothing' },
          argument: { name: 'tone', value: 'k' },
        }),
      ).rejects.toThrow(/Unknown prompt/);
    });
  });
});
