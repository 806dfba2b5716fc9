import './operation.css';
import type { ReactNode } from 'react';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { shellStrings } from '../../shell/strings.ts';
import { IconButton } from '../../ui/button.tsx';
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
    <section className="op-one" aria-label={label}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label={shellStrings.close} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}

export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="op-facts">
    {facts.map(([name, value]) =>
      value === null || value === undefined || value === '' || value === false ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);
