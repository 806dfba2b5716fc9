import { useSyncExternalStore } from 'react';

export type Overlay = 'palette' | 'help';

let open: Overlay | null = null;
const listeners = new Set<() => void>();

function setOverlay(next: Overlay | null): void {
  open = next;
  for (const heard of listeners) heard();
}

export const openPalette = (): void => setOverlay('palette');
export const openHelp = (): void => setOverlay('help');
export const closeOverlay = (): void => setOverlay(null);

export const useOverlay = (): Overlay | null =>
  useSyncExternalStore(
    (heard) => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    () => open,
  );
