import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { viewWords } from '../view-words.ts';
import { dayOf } from './days.ts';
import { entriesOn } from './entries.ts';
import type { GridProps } from './grid.ts';
import { EntryButton, morningOf } from './month.tsx';
import { fullDayOf } from './titles.ts';

/** Days that hold something, one below the other. */
export function AgendaList({ days, entries, open, create }: GridProps) {
  const today = dayOf(new Date());
  const filled = days
    .map((day) => ({ day, here: entriesOn(entries, day) }))
    .filter(({ here }) => here.length > 0);
  const start = morningOf(days.includes(today) ? today : days[0]!);
  return (
    <div className="calendar-scroll agenda">
      {create && (
        <Button icon="plus" onClick={() => create(start)}>
          {viewWords.create}
        </Button>
      )}
      {filled.length === 0 && (
        <Empty title={viewWords.nothing}>
          <p>{viewWords.nothingText}</p>
        </Empty>
      )}
      {filled.map(({ day, here }) => (
        <section key={day}>
          <h3 aria-current={day === today ? 'date' : undefined}>{fullDayOf(day)}</h3>
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
