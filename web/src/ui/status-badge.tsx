import './status-badge.css';

export type StatusTone = 'good' | 'bad' | 'waiting' | 'plain';

const SHAPES: Record<StatusTone, string> = { good: '●', bad: '▲', waiting: '◐', plain: '○' };

export const StatusBadge = ({ tone, children }: { tone: StatusTone; children: string }) => (
  <span className={`status ${tone}`}>
    <span aria-hidden="true">{SHAPES[tone]}</span> {children}
  </span>
);
