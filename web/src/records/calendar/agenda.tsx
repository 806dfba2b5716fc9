import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { viewStrings } from '../view-strings.ts';
import { toDayString } from './days.ts';
import { getEntriesOn } from './entries.ts';
import type { GridProps } from './grid.ts';
import { EntryButton, getDefaultStart } from './month.tsx';
import { formatFullDay } from './titles.ts';

/** Lists only days that have entries. */
export function AgendaList({ days, entries, open, create }: GridProps) {
  const today = toDayString(new Date());
  const filled = days
    .map((day) => ({ day, here: getEntriesOn(entries, day) }))
    .filter(({ here }) => here.length > 0);
  const start = getDefaultStart(days.includes(today) ? today : days[0]!);
  return (
    <div className="calendar-scroll agenda">
      {create && (
        <Button icon="plus" onClick={() => create(start)}>
          {viewStrings.create}
        </Button>
      )}
      {filled.length === 0 && <EmptyState title={viewStrings.noEvents} text={viewStrings.noEventsText} />}
      {filled.map(({ day, here }) => (
        <section key={day}>
          <h3 aria-current={day === today ? 'date' : undefined}>{formatFullDay(day)}</h3>
          <ul>
            {here.map((entry) => (
              <li key={entry.id}>
                <EntryButton entry={entry} open={open} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
