// As main.ts mostly is: bootstrap() without await.
import { setTimeout } from 'node:timers/promises';

async function bootstrap() {
  await setTimeout(50);
  throw new Error('crashes while it boots');
}
bootstrap();
