import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** True if a version is later than another. Compares the dot-separated numbers in order. */
export function isLaterVersion(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split('.').map((part) => Number.parseInt(part, 10)));
  for (let place = 0; place < Math.max(a!.length, b!.length); place++) {
    const difference = (a![place] ?? 0) - (b![place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
