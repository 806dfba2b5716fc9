import './empty-state.css';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}

export const EmptyState = ({ title, text, children }: EmptyStateProps) => (
  <div className="empty">
    <h2>{title}</h2>
    {text && <p>{text}</p>}
    {children}
  </div>
);
