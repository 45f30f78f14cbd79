// For `npm start`, Rolldown compiles decorators one file at a time. The build uses tsc, which
// resolves all types. This script checks that the demo and the libs get the same metadata from
// both, because NestJS uses it for injection, validation and documentation.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../start/bundle.mjs';

const BUILT = 'apps/tasks/dist/app.module.js';
const BUNDLED = fileURLToPath(new URL('../start/dist/metadata', import.meta.url));

/**
 * Wraps the function that compiled decorators call. Dynamic modules are awaited, because they load
 * some modules later.
 */
const RECORDER = `
  import { createRequire } from 'node:module';
  // The copy that the module loads: after npm start, start/ has its own.
  createRequire(process.env.RECORDED_MODULE)('reflect-metadata');
  const lines = [];
  const { metadata } = Reflect;
  const named = (value) => Array.isArray(value) ? value.map(named) : value?.name ?? String(value);
  Reflect.metadata = (key, value) => (target, member) => {
    if (String(key).startsWith('design:')) {
      const owner = typeof target === 'function' ? target.name : target.constructor.name + '.prototype';
      lines.push([owner, String(member ?? ''), key, JSON.stringify(named(value))].join(' '));
    }
    return metadata(key, value)(target, member);
  };
  const { AppModule } = await import(process.env.RECORDED_MODULE);
  await Promise.all(Reflect.getMetadata('imports', AppModule));
  process.stdout.write(JSON.stringify(lines.sort()));
`;

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
let bundled;
try {
  await bundle({ app: 'apps/tasks/src/app.module.ts' }, BUNDLED);
  bundled = metadataOf(`${BUNDLED}/app.js`);
} finally {
  rmSync(BUNDLED, { recursive: true, force: true });
}
const built = metadataOf(BUILT);
const faults = built.flatMap((line, i) =>
  isSame(line, bundled[i]) ? [] : [`  tsc      ${line}`, `  Rolldown ${bundled[i]}`],
);
if (faults.length > 0 || built.length !== bundled.length) {
  console.error(
    `The demo of npm start differs from the build in what decorators record (${built.length} and ${bundled.length} entries). ` +
      `A type that is imported as a type is Object to Rolldown: write the type itself, or import the class.\n${faults.join('\n')}`,
  );
  process.exit(1);
}

/**
 * tsc writes Function for a function type and for a class that is imported as a type, and Rolldown
 * writes Object. NestJS does not inject or validate by either.
 */
function isSame(line, other) {
  return line === other || line.replaceAll('"Function"', '"Object"') === other;
}

/**
 * Returns what the decorators of a module and all its imports record: one line for each class,
 * property and key.
 */
function metadataOf(file) {
  const recorded = execFileSync(process.execPath, ['--input-type=module', '--eval', RECORDER], {
    env: { ...process.env, RECORDED_MODULE: pathToFileURL(file).href },
    encoding: 'utf8',
  });
  return JSON.parse(recorded);
}
