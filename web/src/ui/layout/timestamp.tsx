import { formatInstant, formatWhen } from '../../i18n/format.ts';

interface TimestampProps {
  at: string;
  /** Adds words to the formatted time. */
  format?(when: string): string;
}

/** Shows an instant briefly, and in full in the tooltip. */
export const Timestamp = ({ at, format = (when) => when }: TimestampProps) => (
  <time className="quiet small" dateTime={at} title={formatInstant(at)}>
    {format(formatWhen(at))}
  </time>
);
