// Vulnerabilities of PostgreSQL that bypass row-level security
// (https://www.postgresql.org/support/security). Each entry lists the first fixed minor version for
// each major version.
const FLAWS: readonly { readonly cve: string; readonly fixedIn: readonly string[] }[] = [
  { cve: 'CVE-2023-2455', fixedIn: ['11.20', '12.15', '13.11', '14.8', '15.3'] },
  { cve: 'CVE-2024-10976', fixedIn: ['12.21', '13.17', '14.14', '15.9', '16.5', '17.1'] },
  { cve: 'CVE-2025-8713', fixedIn: ['13.22', '14.19', '15.14', '16.10', '17.6'] },
];

/**
 * `fixedIn` is the minor version that fixes all `cves`.
 * @param versionNumber `server_version_num`, such as 150014 for 15.14
 */
export function listServerFlaws(versionNumber: number): {
  cves: string[];
  fixedIn: string | undefined;
} {
  const major = Math.floor(versionNumber / 10_000);
  const minor = versionNumber % 10_000;
  const cves: string[] = [];
  let fixed = 0;
  for (const { cve, fixedIn } of FLAWS) {
    const fixes = fixedIn.map((version) => version.split('.').map(Number) as [number, number]);
    const [oldest, newest] = [fixes[0], fixes.at(-1)] as [[number, number], [number, number]];
    const fix = fixes.find(([of]) => of === major)?.[1] ?? 0;
    // Older major versions have no fix.
    if (major > newest[0] || (major >= oldest[0] && minor >= fix)) continue;
    cves.push(cve);
    fixed = Math.max(fixed, major >= oldest[0] ? fix : Infinity);
  }
  return { cves, fixedIn: Number.isFinite(fixed) && fixed > 0 ? `${major}.${fixed}` : undefined };
}
