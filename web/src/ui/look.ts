import { useSyncExternalStore } from 'react';

// How a person wants the application to look and to behave. The server keeps it; a copy in the browser makes the first
// picture right already.

export const THEMES = ['SYSTEM', 'LIGHT', 'DARK'] as const;
export const DENSITIES = ['COMFORTABLE', 'COZY', 'COMPACT'] as const;

export interface Look {
  theme: (typeof THEMES)[number];
  density: (typeof DENSITIES)[number];
  /** Whether single keys do something. */
  shortcuts: boolean;
}

const PLACE = 'atrium.look';
const DEFAULT: Look = { theme: 'SYSTEM', density: 'COMFORTABLE', shortcuts: true };

/** Pixels of a row of a list. */
export const ROW_HEIGHTS: Record<Look['density'], number> = { COMFORTABLE: 64, COZY: 52, COMPACT: 36 };

const listeners = new Set<() => void>();
let now = kept();

export const look = (): Look => now;

/** Changes it here, in this browser. */
export function applyLook({ theme, density, shortcuts }: Look): void {
  now = { theme, density, shortcuts };
  localStorage.setItem(PLACE, JSON.stringify(now));
  showLook();
  for (const heard of listeners) heard();
}

/** Puts it onto the page. */
export function showLook(): void {
  const { dataset } = document.documentElement;
  dataset.theme = now.theme.toLowerCase();
  dataset.density = now.density.toLowerCase();
}

export const useLook = (): Look =>
  useSyncExternalStore((heard) => {
    listeners.add(heard);
    return () => listeners.delete(heard);
  }, look);

function kept(): Look {
  try {
    return { ...DEFAULT, ...(JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Look>) };
  } catch {
    return DEFAULT;
  }
}
