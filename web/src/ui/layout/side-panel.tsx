import './layout.css';
import type { ReactNode } from 'react';
import { IconButton } from '../button.tsx';

interface SidePanelProps {
  label: string;
  title: string;
  /** Label of the button that closes the panel. */
  close: string;
  onClose(): void;
  children: ReactNode;
}

/** Shows details next to a list, or instead of the list on a phone. */
export const SidePanel = ({ label, title, close, onClose, children }: SidePanelProps) => (
  <section className="side-panel" aria-label={label}>
    <header>
      <h2>{title}</h2>
      <IconButton icon="close" label={close} onClick={onClose} />
    </header>
    {children}
  </section>
);
