// A PGlite that starts four times as fast: a new database is a copy of one that initdb made before.
// The copy is a file in the temporary folder, one for each version of PGlite. Jest maps
// '@electric-sql/pglite' to this file.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '../../node_modules/@electric-sql/pglite/dist/index.js';
import { root } from './snippets.js';

export * from '../../node_modules/@electric-sql/pglite/dist/index.js';

const create = PGlite.create.bind(PGlite);
const { version } = JSON.parse(
  readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'),
) as { version: string };
const COPY = join(tmpdir(), `fledge-pglite-${version}-${process.getuid?.() ?? 'user'}.tar`);

/** @param dataDir the data folder; undefined for a database in memory */
const createFromCopy = async (dataDir?: string) => {
  if (dataDir !== undefined && existsSync(dataDir)) return create(dataDir);
  if (!existsSync(COPY)) await writeCopy();
  const loadDataDir = new Blob([readFileSync(COPY)]);
  return create({ loadDataDir, ...(dataDir !== undefined && { dataDir }) });
};
PGlite.create = createFromCopy;

async function writeCopy(): Promise<void> {
  const made = await createByInitdb();
  const dump = await made.dumpDataDir('none');
  await made.close();
  // Renamed when complete, because several workers may write the file at the same time.
  const part = `${COPY}.${process.pid}`;
  writeFileSync(part, Buffer.from(await dump.arrayBuffer()));
  renameSync(part, COPY);
}

/** Creates a database with initdb. PGlite's initdb itself calls `PGlite.create()`. */
async function createByInitdb(): Promise<PGlite> {
  PGlite.create = create;
  try {
    return await create();
  } finally {
    PGlite.create = createFromCopy;
  }
}
