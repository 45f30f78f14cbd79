// Boots for ever, say in want of its database.
import { setTimeout } from 'node:timers/promises';

await setTimeout(600_000);
