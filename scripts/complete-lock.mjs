// Writes into package-lock.json the prebuilt binaries of platforms other than this one, where npm left
// them out because it could not see them when it wrote the file. Without them `npm ci` calls the lock
// file out of step with the packages that name them, on every platform. Run by `npm run lock`.
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;

/** Whether a package named by the one at `path` is in the lock file, where Node would look for it. */
function isLocked(name, path) {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    if (packages[`${folder}/node_modules/${name}`.replace(/^\//, '')]) return true;
    if (!folder.includes('/node_modules/')) return `node_modules/${name}` in packages;
  }
}

/** `@swc/core-linux-x64-musl` is for linux, x64. */
function platformOf(name) {
  const os = /\b(android|darwin|freebsd|linux|openharmony|win32)\b/.exec(name)?.[1];
  const cpu = /\b(arm64|arm|ia32|loong64|ppc64|riscv64|s390x|x64)\b/.exec(name)?.[1];
  return os && cpu ? { cpu: [cpu], os: [os] } : undefined;
}

let added = 0;
for (const [path, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const platform = platformOf(name);
    if (isLocked(name, path) || !platform || !/^\d+\.\d+\.\d+/.test(version)) continue;
    packages[`node_modules/${name}`] = {
      version,
      cpu: platform.cpu,
      ...(dev && { dev }),
      optional: true,
      os: platform.os,
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
