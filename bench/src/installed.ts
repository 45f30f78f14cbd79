import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Installed {
  readonly packages: number;
  /** Megabytes of their files. */
  readonly mb: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BARE = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'nestjs-cls', 'rxjs'];

/** What npm installs for an application without `@fledge/mcp`, and what that package adds. */
export function installed(): readonly [bare: Installed, added: Installed] {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-weight-'));
  try {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const versions = Object.entries(manifest.devDependencies).filter(([name]) =>
      [...BARE, 'reflect-metadata'].includes(name),
    );
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: Object.fromEntries(versions) }),
    );
    npm(['install', '--omit=dev'], folder);
    const bare = measured(folder);
    const packs = ['core', 'mcp'].map((lib) => {
      const args = ['pack', '--silent', '--pack-destination', folder];
      return join(folder, npm(args, join(ROOT, 'libs', lib)).trim());
    });
    npm(['install', '--omit=dev', ...packs], folder);
    const all = measured(folder);
    return [bare, { packages: all.packages - bare.packages, mb: all.mb - bare.mb }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function npm(args: readonly string[], cwd: string): string {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  return execFileSync('npm', [...args, ...quiet], { cwd, encoding: 'utf8' });
}

function measured(folder: string): Installed {
  const lock = JSON.parse(
    readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  ) as {
    readonly packages: object;
  };
  const modules = join(folder, 'node_modules');
  const bytes = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(modules, path)))
    .filter((entry) => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0);
  return { packages: Object.keys(lock.packages).length, mb: bytes / 1e6 };
}
