import { useSyncExternalStore } from 'react';

// How a person wants the application to look and to behave. The server keeps it; a copy in the browser makes the first
// picture right already.

export const THEMES = ['SYSTEM', 'LIGHT', 'DARK'] as const;
export const DENSITIES = ['COMFORTABLE', 'COZY', 'COMPACT'] as const;

export interface ViewPreferences {
  theme: (typeof THEMES)[number];
  density: (typeof DENSITIES)[number];
  /** Whether single keys do something. */
  shortcuts: boolean;
}

const STORAGE_KEY = 'atrium.look';
const DEFAULT_PREFERENCES: ViewPreferences = { theme: 'SYSTEM', density: 'COMFORTABLE', shortcuts: true };

/** Pixels of a row of a list. */
export const ROW_HEIGHTS: Record<ViewPreferences['density'], number> = {
  COMFORTABLE: 64,
  COZY: 52,
  COMPACT: 36,
};

const listeners = new Set<() => void>();
let current = readStored();

export const getViewPreferences = (): ViewPreferences => current;

/** Changes it here, in this browser. */
export function applyViewPreferences({ theme, density, shortcuts }: ViewPreferences): void {
  current = { theme, density, shortcuts };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  renderViewPreferences();
  for (const heard of listeners) heard();
}

/** Puts it onto the page. */
export function renderViewPreferences(): void {
  const { dataset } = document.documentElement;
  dataset.theme = current.theme.toLowerCase();
  dataset.density = current.density.toLowerCase();
}

export const useViewPreferences = (): ViewPreferences =>
  useSyncExternalStore((heard) => {
    listeners.add(heard);
    return () => listeners.delete(heard);
  }, getViewPreferences);

function readStored(): ViewPreferences {
  try {
    return {
      ...DEFAULT_PREFERENCES,
      ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<ViewPreferences>),
    };
  } catch {
    return DEFAULT_PREFERENCES;
  }
}
