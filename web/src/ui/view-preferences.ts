import { useSyncExternalStore } from 'react';

// Appearance preferences. The server stores them. A copy in the browser applies them to the first render.

export const THEMES = ['SYSTEM', 'LIGHT', 'DARK'] as const;
export const DENSITIES = ['COMFORTABLE', 'COZY', 'COMPACT'] as const;

export interface ViewPreferences {
  theme: (typeof THEMES)[number];
  density: (typeof DENSITIES)[number];
  /** True if single-key shortcuts are enabled. */
  shortcuts: boolean;
}

const STORAGE_KEY = 'atrium.look';
const DEFAULT_PREFERENCES: ViewPreferences = { theme: 'SYSTEM', density: 'COZY', shortcuts: true };

/** In pixels. */
const ROW_HEIGHTS: Record<ViewPreferences['density'], number> = {
  COMFORTABLE: 64,
  COZY: 52,
  COMPACT: 36,
};

const listeners = new Set<() => void>();
let current = readStoredPreferences();

export const getViewPreferences = (): ViewPreferences => current;

export function applyViewPreferences({ theme, density, shortcuts }: ViewPreferences): void {
  current = { theme, density, shortcuts };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  renderViewPreferences();
  for (const listener of listeners) listener();
}

export function renderViewPreferences(): void {
  const { dataset } = document.documentElement;
  dataset.theme = current.theme.toLowerCase();
  dataset.density = current.density.toLowerCase();
}

export const useViewPreferences = (): ViewPreferences =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getViewPreferences);

/** Returns the height of a list's rows in pixels. */
export const useRowHeight = (): number => ROW_HEIGHTS[useViewPreferences().density];

function readStoredPreferences(): ViewPreferences {
  try {
    return {
      ...DEFAULT_PREFERENCES,
      ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<ViewPreferences>),
    };
  } catch {
    return DEFAULT_PREFERENCES;
  }
}
