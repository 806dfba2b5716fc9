/** Listed in order of detection, because Edge's user agent, for example, also contains `Chrome` and `Safari`. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?(iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Formats a `User-Agent` as browser and operating system. Returns its first word if neither is recognized. */
export function parseUserAgent(userAgent: string | null): string | null {
  if (!userAgent?.trim()) return null;
  const findName = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [findName(BROWSERS), findName(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? userAgent.trim().split(/[\s/]/)[0]!;
}
