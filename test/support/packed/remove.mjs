// Jest's globalTeardown of the tier `packed`.
import { rmSync } from 'node:fs';

export default function remove() {
  rmSync(process.env.FLEDGE_PACKED, { recursive: true, force: true });
}
