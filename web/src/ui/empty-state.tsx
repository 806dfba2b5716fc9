import './empty-state.css';
import type { ReactNode } from 'react';

/** Empty state of a list, with its purpose and the first action. */
export const EmptyState = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
);
