// A client for TypeScript, generated from the OpenAPI document of the application.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { type INestApplication, Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { createApp } from '../src/create-app.js';

const CLIENT = `
import type { paths } from './api.js';

type Page = paths['/tasks']['get']['responses'][200]['content']['application/json'];

export async function titles(origin: string): Promise<string[]> {
  const answer = await fetch(origin + '/tasks?limit=2&sort=title:asc', {
    headers: { authorization: 'Bearer demo-token-ada' },
  });
  const { data, meta } = (await answer.json()) as Page;
  const texts = data.map(({ id, title, status, dueDate, assignee }) =>
    [id?.toFixed(), title, status, dueDate?.length, assignee?.email].join(' '),
  );
  return [...texts, \`\${meta.page} of \${meta.totalPages}, \${meta.total} tasks\`];
}
`;

const CLIENTS: Readonly<Record<string, string>> = {
  'client.ts': CLIENT,
  'misspelt.ts': CLIENT.replace('meta.total}', 'meta.totals}'),
  'careless.ts': CLIENT.replace('dueDate?.length', 'dueDate.length'),
};

let folder: string;
let errors: readonly string[];
const apps: INestApplication[] = [];

beforeAll(async () => {
  Logger.overrideLogger(false);
  process.env['TASKS_DATA'] = 'memory://';
  // In the project, where the compiler finds the types of Node.js.
  folder = await mkdtemp(join(import.meta.dirname, '.client-'));
  const app = await start('express');
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  const types = astToString(await openapiTS(structuredClone(document) as never));
  for (const [name, text] of Object.entries({ ...CLIENTS, 'api.ts': types })) {
    await writeFile(join(folder, name), text);
  }
  errors = compiled();
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await rm(folder, { recursive: true });
});

async function start(platform: 'express' | 'fastify'): Promise<INestApplication> {
  const app = await createApp(platform);
  await app.listen(0);
  apps.push(app);
  return app;
}

describe('a generated client', () => {
  it('compiles, unless it reads what no page has, or null as a text', () => {
    expect(errors).toEqual([
      expect.stringMatching(/^careless\.ts: 'dueDate' is possibly 'null'/),
      expect.stringMatching(/^misspelt\.ts: Property 'totals' does not exist/),
    ]);
  });

  it.each(['express', 'fastify'] as const)('reads a page of tasks on %s', async (platform) => {
    const app = platform === 'express' ? apps[0]! : await start(platform);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const client = (await import(pathToFileURL(join(folder, 'client.js')).href)) as {
      titles: (origin: string) => Promise<string[]>;
    };
    expect(await client.titles(`http://127.0.0.1:${port}`)).toEqual([
      expect.stringMatching(/^\d+ \S.* (open|in_progress|done) /),
      expect.stringMatching(/^\d+ \S/),
      expect.stringMatching(/^1 of \d+, \d+ tasks$/),
    ]);
  });
});

/** Compiles the clients beside the generated types. Returns the errors in the order of the files. */
function compiled(): string[] {
  const files = Object.keys(CLIENTS).map((name) => join(folder, name));
  const program = ts.createProgram(files, {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
  });
  program.emit();
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, '\n');
      return `${basename(file?.fileName ?? '')}: ${text}`;
    })
    .toSorted();
}
