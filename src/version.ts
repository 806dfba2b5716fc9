import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;

export function isLaterVersion(version: string, otherVersion: string): boolean {
  const [a, b] = [version, otherVersion].map((item) =>
    item.split('.').map((part) => Number.parseInt(part, 10)),
  );
  for (let index = 0; index < Math.max(a!.length, b!.length); index++) {
    const difference = (a![index] ?? 0) - (b![index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
