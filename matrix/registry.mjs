// A registry on the loopback that has the packages of libs/, as `npm publish` makes them. It runs in
// this process, so it ends with it.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { runServer } from 'verdaccio';
import { run } from './child.mjs';

/**
 * Starts Verdaccio and publishes the libs to it. Applications whose folder has the returned `npmrc`
 * get @fledge/* from here and everything else from the registry that npm is set to.
 */
export async function startRegistry({ root, folder, log }) {
  await mkdir(folder, { recursive: true });
  // npm keeps by address what a registry answers, and a port comes again: each run has its own path.
  const prefix = `/${Date.now().toString(36)}/`;
  const server = await runServer({
    self_path: folder,
    configPath: join(folder, 'config.yaml'),
    storage: join(folder, 'storage'),
    url_prefix: prefix,
    uplinks: {},
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    packages: { '@fledge/*': { access: '$all', publish: '$all' } },
    web: { enable: false },
    log: { type: 'file', path: join(folder, 'verdaccio.log'), level: 'warn' },
  });
  server.prependListener('request', (request) => {
    request.url = request.url.replace(prefix, '/');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${server.address().port}${prefix}`;
  const npmrc = `@fledge:registry=http://${address}\n`;
  await writeFile(join(folder, 'package.json'), '{}');
  await writeFile(
    join(folder, '.npmrc'),
    `${npmrc}//${address}:_authToken=${await tokenOf(address)}\n`,
  );

  const libs = [];
  for (const name of await readdir(join(root, 'libs'))) {
    const lib = join(root, 'libs', name);
    const args = ['publish', lib, '--tag', 'latest', '--loglevel', 'error'];
    await run('npm', args, { cwd: folder, log, seconds: 60 });
    libs.push(JSON.parse(await readFile(join(lib, 'package.json'), 'utf8')));
  }
  return { npmrc, libs, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** A user of this registry alone, without whom npm does not publish. */
async function tokenOf(address) {
  const response = await fetch(`http://${address}-/user/org.couchdb.user:matrix`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'matrix', password: 'made-up' }),
  });
  if (!response.ok) throw new Error(`The local registry answered ${response.status} for a user.`);
  return (await response.json()).token;
}
