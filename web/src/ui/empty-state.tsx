import './empty-state.css';
import type { ReactNode } from 'react';

/** In place of a list that holds nothing: what it is for, and what to do first. */
export const EmptyState = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
);
