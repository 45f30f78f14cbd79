// Measures one warm call in a package and in @fledge/core, on both platforms. Counts the files and
// functions that are entered, the moves between files and between folders, and the promises
// (including those of Nest and Node.js). Traces a tool call of @fledge/mcp, or with `graphql`
// operations of @fledge/graphql. With --files, lists the files in the order in which they are
// entered.
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import { createHook } from 'node:async_hooks';
import { register } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

register('./loader.mjs', import.meta.url);
const platforms = { Express: ExpressAdapter, Fastify: FastifyAdapter };
const subject = process.argv.includes('graphql') ? 'graphql' : 'mcp';
const { packages, open } = await import(`./${subject}.mjs`);
const { AppModule } = await import(`./${subject}-app.ts`);

const rows = [];
for (const [platform, Adapter] of Object.entries(platforms)) {
  const app = await NestFactory.create(AppModule, new Adapter(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const { calls, close } = await open(await app.getUrl());
  for (const [name, call] of Object.entries(calls)) {
    for (let warm = 0; warm < 20; warm++) await call();
    rows.push({ platform, call: name, ...(await traced(call)) });
  }
  await close();
  await app.close();
}
console.table(rows.map(({ files, ...counts }) => ({ ...counts, files: files.length })));
if (process.argv.includes('--files')) {
  for (const { platform, call, files } of rows) {
    console.log(`\n${platform}, ${call}\n  ${files.join('\n  ')}`);
  }
}

/** Runs a call once and returns the counts. */
async function traced(call) {
  const entered = [];
  let promises = 0;
  // Waits until the previous call has finished its remaining work.
  await nextTurn();
  const hook = createHook({ init: (_id, type) => void (type === 'PROMISE' && promises++) });
  globalThis.entered = (file) => void entered.push(file);
  hook.enable();
  await call();
  hook.disable();
  delete globalThis.entered;
  const own = entered.filter((file) => packages.includes(/^libs\/(\w+)\//.exec(file)?.[1]));
  const folders = own.map((file) => file.slice(0, file.lastIndexOf('/')));
  return {
    functions: own.length,
    files: [...new Set(own)],
    fileMoves: countMoves(own),
    folderMoves: countMoves(folders),
    promises,
  };
}

function countMoves(places) {
  return places.filter((place, i) => i > 0 && place !== places[i - 1]).length;
}
