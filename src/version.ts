import manifest from '../package.json' with { type: 'json' };

/** The version of Atrium. */
export const version: string = manifest.version;

/** Whether a version is later than another: numbers with dots, compared number by number. Pure. */
export function isLaterVersion(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split('.').map((part) => Number.parseInt(part, 10)));
  for (let place = 0; place < Math.max(a!.length, b!.length); place++) {
    const difference = (a![place] ?? 0) - (b![place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
