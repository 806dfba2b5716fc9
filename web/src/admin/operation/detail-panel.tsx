import type { ReactNode } from 'react';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { shellStrings } from '../../shell/strings.ts';
import { SidePanel } from '../../ui/layout/side-panel.tsx';
import { operationStrings } from './strings.ts';

interface DetailPanelProps {
  label: string;
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** Shows details next to a list, or instead of the list on a phone. */
export function DetailPanel({ label, title, onClose, children }: DetailPanelProps) {
  useShortcuts([{ keys: 'u', label: operationStrings.keys.close, run: onClose }]);
  return (
    <SidePanel label={label} title={title} close={shellStrings.close} onClose={onClose}>
      {children}
    </SidePanel>
  );
}
