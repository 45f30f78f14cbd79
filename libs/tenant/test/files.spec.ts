// The recipe of docs/files.md, on real files, with names that try to leave the folder of the tenant.
import { Tenancy, TenantModule } from '@fledge/tenant';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplicationContext,
  Injectable,
  Module,
  Query,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';

let root: string;

@Injectable()
class Uploads {
  constructor(private readonly tenancy: Tenancy) {}

  async write(name: string, content: Readable) {
    const path = await this.pathOf(name);
    const part = join(dirname(path), `.${randomUUID()}.part`);
    try {
      const file = await open(part, 'wx');
      await pipeline(content, file.createWriteStream());
      await rename(part, path); // replaces a link instead of following it
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async read(name: string) {
    const file = await open(await this.pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW);
    return file.createReadStream();
  }

  private async pathOf(name: string) {
    const path = join(await realpath(root), this.tenancy.path('uploads', name.normalize('NFC')));
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    if ((await realpath(folder)) !== folder) throw new Error(`${folder} is a symbolic link.`);
    return path;
  }
}

@Module({
  imports: [TenantModule.forRoot({ strategy: 'header' })],
  providers: [Uploads],
})
class AppModule {}

@Controller()
class FilesController {
  constructor(private readonly tenancy: Tenancy) {}

  @Get('files')
  path(@Query('name') name: string) {
    return { path: this.tenancy.path(name) };
  }
}

@Module({
  imports: [TenantModule.forRoot({ strategy: 'header' })],
  controllers: [FilesController],
})
class HttpModule {}

let app: INestApplicationContext;
let uploads: Uploads;
let tenancy: Tenancy;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fledge-files-'));
  app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  uploads = app.get(Uploads);
  tenancy = app.get(Tenancy);
});

afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const as = <R>(tenantId: string, run: () => R) => tenancy.run({ tenantId }, run);
const write = (id: string, name: string, content = id) =>
  as(id, () => uploads.write(name, Readable.from([content])));
const read = (id: string, name: string) => as(id, async () => text(await uploads.read(name)));

describe('files per tenant', () => {
  it('are kept apart for tenants whose ids look like paths, at once', async () => {
    const ids = ['a', 'b', 'a/b', '../a', '/a', 'a\\b', '...', 'a.', 'ä', 'a%2Fb', 'C:', 'a\u0000'];
    await Promise.all(ids.map((id) => write(id, 'f.txt')));
    expect(await Promise.all(ids.map((id) => read(id, 'f.txt')))).toEqual(ids);
    expect(await readdir(root)).toHaveLength(ids.length);
    const above = await readdir(dirname(root));
    expect(above.filter((name) => name === 'uploads' || name === 'f.txt')).toEqual([]);
  });

  it.each([
    '..',
    '.',
    '',
    '../../b/uploads/f.txt',
    '/etc/passwd',
    'x/../../../b/uploads/f.txt',
    '..\\b',
    'C:\\x',
    'f.txt:stream',
    'f.txt\u0000.png',
    '../'.repeat(50),
  ])('cannot be reached with the name %j', async (name) => {
    await write('b', 'f.txt', 'secret');
    await expect(read('a', name)).rejects.toMatchObject({ code: 'TENANT_UNSAFE_PATH' });
    await expect(write('a', name, 'evil')).rejects.toMatchObject({ code: 'TENANT_UNSAFE_PATH' });
    expect(await read('b', 'f.txt')).toBe('secret');
  });

  it.each(['．．', '%2e%2e', '..%2fb', '‥', '~', '*', '-rf', 'aux', 'x'.repeat(250)])(
    'take the name %j for a name',
    async (name) => {
      await write('names', name);
      expect(await read('names', name)).toBe('names');
    },
  );

  it('have one name for both forms of a letter', async () => {
    await write('forms', '\u00e4.txt', 'new');
    expect(await read('forms', 'a\u0308.txt')).toBe('new');
  });

  it('are not reached through symbolic links, which are replaced', async () => {
    await write('b', 'f.txt', 'secret');
    await write('links', 'own.txt');
    await symlink(join(root, 'b/uploads/f.txt'), join(root, 'links/uploads/link.txt'));
    await expect(read('links', 'link.txt')).rejects.toMatchObject({ code: 'ELOOP' });
    await write('links', 'link.txt', 'own');
    expect([await read('links', 'link.txt'), await read('b', 'f.txt')]).toEqual(['own', 'secret']);
    await mkdir(join(root, 'thief'));
    await symlink(join(root, 'b/uploads'), join(root, 'thief/uploads'));
    await symlink(join(root, 'b'), join(root, 'thief2'));
    for (const thief of ['thief', 'thief2']) {
      await expect(read(thief, 'f.txt')).rejects.toThrow('is a symbolic link');
      await expect(write(thief, 'f.txt', 'evil')).rejects.toThrow('is a symbolic link');
    }
    expect(await read('b', 'f.txt')).toBe('secret');
  });

  it('leave nothing of an upload that breaks off, and keep the file before it', async () => {
    await write('broken', 'f.txt', 'before');
    const breaks = Readable.from(
      (function* () {
        yield 'half';
        throw new Error('the client left');
      })(),
    );
    await expect(as('broken', () => uploads.write('f.txt', breaks))).rejects.toThrow('left');
    expect(await read('broken', 'f.txt')).toBe('before');
    expect(await readdir(join(root, 'broken/uploads'))).toEqual(['f.txt']);
  });

  it.each(platforms)(
    'with a name that leads out of the folder get 400 on $name',
    async (platform) => {
      const { url } = await serve(HttpModule, platform);
      const get = (name: string) =>
        call(`${url}/files?name=${encodeURIComponent(name)}`, { headers: { 'x-tenant-id': 'a' } });
      expect(await get('report.pdf')).toEqual({ status: 200, body: { path: 'a/report.pdf' } });
      expect(await get('x/../y')).toEqual({
        status: 400,
        body: {
          statusCode: 400,
          error: 'Bad Request',
          message: '"x/../y" is not a valid name of a file or folder',
          code: 'TENANT_UNSAFE_PATH',
        },
      });
      await closeAll();
    },
  );

  it('need a tenant', async () => {
    await expect(uploads.read('f.txt')).rejects.toMatchObject({ code: 'TENANT_CONTEXT_MISSING' });
  });
});

describe('keys of an object store', () => {
  it('are listed for one tenant by a prefix that ends with a slash', async () => {
    const keys: string[] = [];
    for (const id of ['a', 'ab', 'a/uploads', 'a:b']) {
      keys.push(await as(id, () => tenancy.path('uploads', 'f.txt')));
    }
    const listed = (prefix: string) => keys.filter((key) => key.startsWith(prefix));
    const prefix = await as('a', () => tenancy.path());
    expect(listed(prefix).length).toBeGreaterThan(1);
    expect(listed(`${prefix}/`)).toEqual(['a/uploads/f.txt']);
  });
});
