// `npm run matrix`: publishes the libs to a local registry, builds the applications of
// scenarios.mjs and asks each what checks.mjs lists. Arguments: names of applications, or --cut.
import { installIfNeeded } from '../scripts/install.mjs';

await installIfNeeded(import.meta.dirname, ['--ignore-scripts']);
// What it imports is there only now.
const { matrix } = await import('./matrix.mjs');
process.exitCode = await matrix(process.argv.slice(2));
