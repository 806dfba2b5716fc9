import './button.css';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** A busy button keeps its position and focus, but ignores clicks. */
export interface ButtonProps extends ComponentProps<'button'> {
  look?: 'plain' | 'primary' | 'danger' | 'ghost';
  icon?: IconName;
  isBusy?: boolean;
}

export function Button({ look = 'plain', icon, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${look}${rest.className ? ` ${rest.className}` : ''}`}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export const IconButton = ({
  label,
  icon,
  className = '',
  ...rest
}: Omit<ButtonProps, 'children'> & { label: string; icon: IconName }) => (
  <Button
    look="ghost"
    title={label}
    {...rest}
    className={`square ${className}`}
    aria-label={label}
    icon={icon}
  />
);
