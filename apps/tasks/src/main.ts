import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './create-app.js';
import { DEMO_TOKEN } from './database/demo-data.js';
import { readSettings } from './settings.js';
import { startBanner } from './start-banner.js';

const { port, platform } = readSettings(process.env);
const app = await createApp(platform);
const server = (await app.listen(port).catch(endWith)) as Server;
const { port: openPort } = server.address() as AddressInfo;
process.stdout.write(startBanner(`http://localhost:${openPort}`, DEMO_TOKEN));

/** Closes the database, then prints the cause. */
async function endWith(error: NodeJS.ErrnoException): Promise<never> {
  await app.close();
  if (error.code !== 'EADDRINUSE') throw error;
  process.stderr.write(
    `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=3001 npm start\n`,
  );
  process.exit(1);
}
