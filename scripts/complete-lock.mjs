// Writes into package-lock.json the prebuilt binaries of platforms other than this one, where npm left
// them out because it could not see them when it wrote the file. Without them `npm ci` calls the lock
// file out of step with the packages that name them, on every platform. Run by `npm run lock`.
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;

/** The place where Node would find a package named by the one at `path`; undefined if it is not locked. */
function placeOf(name, path) {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const place = `${folder}/node_modules/${name}`.replace(/^\//, '');
    if (packages[place]) return place;
    if (!folder.includes('/node_modules/')) break;
  }
  return `node_modules/${name}` in packages ? `node_modules/${name}` : undefined;
}

/** `@swc/core-linux-x64-musl` is for linux, x64. */
function platformOf(name) {
  if (/\bwasm32\b/.test(name)) return { cpu: ['wasm32'] };
  const os = /\b(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|win32)\b/.exec(name)?.[1];
  const cpu = /\b(arm64|arm|ia32|loong64|ppc64|riscv64|s390x|x64)\b/.exec(name)?.[1];
  return os && cpu ? { cpu: [cpu], os: [os] } : undefined;
}

let added = 0;
for (const [path, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const platform = platformOf(name);
    if (!platform || !/^\d+\.\d+\.\d+/.test(version)) continue;
    const place = placeOf(name, path);
    if (place && packages[place].version === version) continue;
    // With another version in that place, the package gets its own copy.
    packages[place ? `${path}/node_modules/${name}` : `node_modules/${name}`] = {
      version,
      cpu: platform.cpu,
      ...(dev && { dev }),
      optional: true,
      ...(platform.os && { os: platform.os }),
    };
    added++;
  }
}

if (added > 0) {
  lock.packages = Object.fromEntries(
    Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : Number(a > b))),
  );
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`${added} packages of other platforms added to ${file}`);
