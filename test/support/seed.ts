// Property tests use the same seed in every run, so a failed run can be repeated. Use another seed
// with: FUZZ_SEED=1 npm test
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_120) });
