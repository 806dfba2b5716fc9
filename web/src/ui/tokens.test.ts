import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const text = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const tokens = new Map(
  [...text.matchAll(/--([\w-]+): light-dark\((#\w{6})(?:\w\w)?, (#\w{6})(?:\w\w)?\)/g)].map(
    ([, name, light, dark]) => [name!, [light!, dark!] as const],
  ),
);

/** Computes the relative luminance (WCAG 2.2). */
const computeLuminance = (color: string): number => {
  const [r, g, b] = [1, 3, 5].map((index) => {
    const part = Number.parseInt(color.slice(index, index + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
};

const computeContrast = (a: string, b: string): number => {
  const [dark, light] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
};

const PAPERS = ['paper', 'surface', 'raised', 'sunk'];

const labels = Array.from({ length: 12 }, (_, n) => `label-${n + 1}`);

it.each([
  ...['ink', 'ink-2', 'accent', 'danger'].map((ink) => [ink, PAPERS, 4.5] as const),
  ...['on-accent'].map((ink) => [ink, ['accent'], 4.5] as const),
  ...['on-danger'].map((ink) => [ink, ['danger'], 4.5] as const),
  ...['ink', 'accent'].map((ink) => [ink, ['accent-soft'], 4.5] as const),
  ...['focus', 'line-strong', 'star', 'chart-1', 'chart-2', 'chart-3'].map(
    (ink) => [ink, ['paper', 'surface'], 3] as const,
  ),
  ...labels.map((ink) => [ink, PAPERS, 3] as const),
])('color %s has sufficient contrast on %s in light and dark mode', (ink, papers, min) => {
  for (const paper of papers)
    for (const scheme of [0, 1] as const)
      expect(
        computeContrast(tokens.get(ink)![scheme], tokens.get(paper)![scheme]),
        paper,
      ).toBeGreaterThanOrEqual(min);
});
