// Property tests draw the same in every run: a red run is one that can be repeated. Another draw:
// FUZZ_SEED=1 npm test
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_120) });
