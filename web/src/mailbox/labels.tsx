import './labels.css';
import type { Label } from './address.ts';

/** The color is decorative, because the label's name is next to it. */
export const LabelDot = ({ color }: { color: number }) => (
  <span className="label-dot" style={{ background: `var(--label-${color + 1})` }} aria-hidden="true" />
);

export const Labels = ({ labels }: { labels: readonly Label[] }) =>
  labels.length > 0 && (
    <span className="labels small">
      {labels.map(({ id, name, color }) => (
        <span key={id} className="label-name">
          <LabelDot color={color} />
          <bdi>{name}</bdi>
        </span>
      ))}
    </span>
  );
