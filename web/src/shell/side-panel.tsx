import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { useShortcuts } from './keys/shortcuts.ts';
import { shellStrings } from './strings.ts';

interface SidePanelProps {
  label: string;
  title: string;
  /** Name of the shortcut that closes the panel. */
  shortcut?: string;
  onClose(): void;
  children: ReactNode;
}

/** Shows details next to a list, or instead of the list on a phone. */
export function SidePanel(props: SidePanelProps) {
  const { label, title, shortcut = shellStrings.close, onClose, children } = props;
  useShortcuts([{ keys: 'u', label: shortcut, run: onClose }]);
  return (
    <section className="side-panel" aria-label={label}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label={shellStrings.close} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}
