import './status-badge.css';

export type StatusTone = 'good' | 'bad' | 'waiting' | 'plain';

const SHAPES: Record<StatusTone, string> = { good: '●', bad: '▲', waiting: '◐', plain: '○' };

/** A status, conveyed by color, shape and text. */
export const StatusBadge = ({ tone, children }: { tone: StatusTone; children: string }) => (
  <span className={`status ${tone}`}>
    <span aria-hidden="true">{SHAPES[tone]}</span> {children}
  </span>
);
