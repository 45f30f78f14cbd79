import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './create-app.js';
import { DEMO_TOKEN } from './database/demo-data.js';
import { readSettings } from './settings.js';
import { startBanner } from './start-banner.js';

const { port, platform } = readSettings(process.env);
const app = await createApp(platform);
const server = (await app.listen(port)) as Server;
const { port: openPort } = server.address() as AddressInfo;
process.stdout.write(startBanner(`http://localhost:${openPort}`, DEMO_TOKEN));
