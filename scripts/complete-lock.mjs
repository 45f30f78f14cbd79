// Adds the prebuilt binaries of other platforms to package-lock.json. npm leaves them out if they
// were not installed when it wrote the file. Without them, `npm ci` fails on every platform,
// because it considers the lock file out of sync. Run by `npm run lock`.
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;

/**
 * Returns the place where Node would find a package that the package at `path` requires. Returns
 * undefined if the package is not locked.
 */
function placeOf(name, path) {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const place = `${folder}/node_modules/${name}`.replace(/^\//, '');
    if (packages[place]) return place;
    if (!folder.includes('/node_modules/')) break;
  }
  return `node_modules/${name}` in packages ? `node_modules/${name}` : undefined;
}

/** Returns the platform in a name: linux and x64 for `@swc/core-linux-x64-musl`. */
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
    // If that place has another version, the package gets its own copy.
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
