import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Prints the licenses of the third-party packages in a release, including packages compiled into the browser
// application. Fails if a license is missing or not permitted.
//   node scripts/notice.ts > NOTICE

interface LockedPackage {
  version?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The `packages` in package-lock.json, by folder, such as `node_modules/a/node_modules/b`. `''` is the project. */
type Packages = Record<string, LockedPackage>;

interface Notice {
  /** Name and version of the package. */
  name: string;
  license: string;
  /** Contents of the license and notice files. Empty if the package has no such files. */
  text: string;
}

/**
 * Finds packages whose license does not permit distribution under the MIT license. LGPL libraries are permitted,
 * because they are linked dynamically.
 */
export const findRejectedPackages = (packages: Packages): string[] =>
  Object.entries(packages)
    .filter(([, { license }]) => license && isCopyleft(license))
    .map(([path, { version, license }]) => `${getPackageName(path)} ${version}: ${license}`);

/**
 * An expression with alternatives is copyleft only if all of them are. An expression that contains AND is not split.
 */
function isCopyleft(license: string): boolean {
  const choices = /\bAND\b/i.test(license) ? [license] : license.split(/\bOR\b/i);
  return choices.every((choice) => /\b(?:AGPL|GPL|SSPL)|GNU (?:Affero )?General Public/i.test(choice));
}

/** Collects the folders of packages and their dependencies, resolved as in Node. */
export function collectFolders(packages: Packages, roots: readonly string[]): string[] {
  const folders = new Set<string>();
  const add = (from: string, name: string): void => {
    const folder = resolvePackageFolder(packages, from, name);
    if (!folder || folders.has(folder)) return;
    folders.add(folder);
    const { dependencies, optionalDependencies } = packages[folder]!;
    for (const inner of Object.keys({ ...dependencies, ...optionalDependencies })) add(folder, inner);
  };
  for (const root of roots) add('', root);
  return [...folders].sort();
}

function resolvePackageFolder(packages: Packages, from: string, name: string): string | null {
  const folder = from ? `${from}/node_modules/${name}` : `node_modules/${name}`;
  if (packages[folder]) return folder;
  return from
    ? resolvePackageFolder(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
    : null;
}

const getPackageName = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 13);

/** Groups packages with the same license text, so that the text appears only once. */
export function renderNotice(notices: readonly Notice[]): string {
  const groups = Map.groupBy(notices, ({ license, text }) => text || `License: ${license}`);
  const sections = [...groups].map(
    ([text, group]) => `${group.map(({ name, license }) => `${name} (${license})`).join('\n')}\n\n${text}\n`,
  );
  return ['Third-party software in Atrium\n', ...sections].join(`\n${'-'.repeat(78)}\n\n`);
}

function listWebImports(): string[] {
  return globSync('web/src/**/*.{ts,tsx}')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^'.][^']*)'/g)])
    .map(([, specifier]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier!)![0]);
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-._].*)?$/i;

function readLicense(folder: string): string {
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file) && !/\.[cm]?[jt]s$/.test(file));
  return files
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}

function main(): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Packages };
  const { dependencies, optionalDependencies } = packages['']!;
  // web/squire-plugin.ts imports Squire under another name.
  const roots = [
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...listWebImports(),
    'squire-rte',
  ];
  // Optional packages for other platforms are not installed.
  const installed = collectFolders(packages, roots).filter((folder) => existsSync(folder));
  const notices = installed.map((folder) => ({
    name: `${getPackageName(folder)} ${packages[folder]!.version}`,
    license: packages[folder]!.license ?? '',
    text: readLicense(folder),
  }));
  const unlicensed = notices
    .filter(({ license, text }) => !license && !text)
    .map(({ name }) => `${name}: none`);
  const problems = [...findRejectedPackages(packages), ...unlicensed];
  for (const problem of problems) console.error(`License not permitted: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write(renderNotice(notices));
}

if (import.meta.main) main();
