// Compares the public types of each entry point with its report in api/, so that no change goes
// unnoticed. With --accept, writes the reports. Reads the declarations that `npm run build`
// created.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { listEntries } from './entries.mjs';
import { packages } from './packages.mjs';

const REPORTS = resolve('api');
const TYPES = fileURLToPath(new URL('../node_modules/@types', import.meta.url));
const MOST_LINES = 20;

const accepts = process.argv.includes('--accept');

/** Returns each entry point with types. The report of `@fledge/mcp/stdio` is `mcp.stdio.api.md`. */
function entries() {
  return packages().flatMap((found) =>
    listEntries(found).map(({ name, types }) => ({
      name,
      report: `${name.split('/').slice(1).join('.')}.api.md`,
      folder: resolve(found.folder),
      file: resolve(found.folder, types),
    })),
  );
}

function configOf({ report, folder, file }, made) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: file,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2023',
            module: 'nodenext',
            lib: ['es2023', 'dom'],
            strict: true,
            skipLibCheck: true,
            types: ['node'],
            typeRoots: [TYPES],
          },
          files: [file],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: REPORTS,
        reportTempFolder: made,
        // The report also includes types that are used but not exported, because users depend on
        // them too.
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        // API Extractor's rules for release tags and comments do not apply here.
        extractorMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  });
}

/** Returns the lines of a text that another text does not have. */
function linesWithout(text, other) {
  const known = new Set(other.split('\n'));
  return text.split('\n').filter((line) => line.trim() !== '' && !known.has(line));
}

function changesOf(report, made) {
  const stored = join(REPORTS, report);
  const before = existsSync(stored) ? readFileSync(stored, 'utf8') : '';
  const after = readFileSync(join(made, report), 'utf8');
  const lines = [
    ...linesWithout(before, after).map((line) => `  - ${line}`),
    ...linesWithout(after, before).map((line) => `  + ${line}`),
  ];
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(more > 0 ? [`  ... and ${more} more lines`] : [])];
}

const made = mkdtempSync(join(tmpdir(), 'fledge-api-'));
const faults = [];
try {
  mkdirSync(REPORTS, { recursive: true });
  const found = entries();
  const configs = found.map((entry) => configOf(entry, made));
  const compilerState = CompilerState.create(configs[0], {
    additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  for (const [i, { name, report }] of found.entries()) {
    const { apiReportChanged, errorCount } = Extractor.invoke(configs[i], {
      compilerState,
      localBuild: accepts,
      messageCallback(message) {
        message.handled = message.logLevel !== 'error' || message.messageId.startsWith('console-');
      },
    });
    if (apiReportChanged && !accepts) {
      faults.push(`The public types of ${name} differ from api/${report}:`);
      faults.push(...changesOf(report, made));
    } else if (errorCount > 0) faults.push(`The types of ${name} have errors.`);
  }
  const reports = new Set(found.map(({ report }) => report));
  for (const stale of readdirSync(REPORTS).filter((file) => !reports.has(file))) {
    if (accepts) rmSync(join(REPORTS, stale));
    else faults.push(`api/${stale} belongs to no entry point.`);
  }
} finally {
  rmSync(made, { recursive: true });
}
if (faults.length > 0) {
  faults.push('If this is meant, run `npm run api:accept`, and `npx changeset` to announce it.');
  console.error(faults.join('\n'));
  process.exit(1);
}
