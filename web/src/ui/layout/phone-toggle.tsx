import { Button } from '../button.tsx';

interface PhoneToggleProps {
  label: string;
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
}

/** A button that shows the controls for which phones lack the space. Wider screens always show them. */
export const PhoneToggle = ({ label, isOpen, onToggle }: PhoneToggleProps) => (
  <Button
    icon="filter"
    className="phone-toggle"
    aria-expanded={isOpen}
    aria-label={label}
    title={label}
    onClick={() => onToggle(!isOpen)}
  />
);
