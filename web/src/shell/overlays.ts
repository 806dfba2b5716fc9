import { useSyncExternalStore } from 'react';

type Overlay = 'palette' | 'help';

let open: Overlay | null = null;
const listeners = new Set<() => void>();

function setOverlay(next: Overlay | null): void {
  open = next;
  for (const listener of listeners) listener();
}

export const openPalette = (): void => setOverlay('palette');
export const openHelp = (): void => setOverlay('help');
export const closeOverlay = (): void => setOverlay(null);

export const useOverlay = (): Overlay | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
