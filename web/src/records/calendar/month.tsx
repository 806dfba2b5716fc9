import { type KeyboardEvent, useRef, useState } from 'react';
import { viewWords } from '../view-words.ts';
import { atTimeOf, type Day, dayOf, startOf } from './days.ts';
import { type CalendarEntry, entriesOn } from './entries.ts';
import { dragOf, dropOf, type GridProps } from './grid.ts';
import { fullDayOf, timeOf, weekdayOf } from './titles.ts';

/** Entries of a day in a month, before the rest is behind a link. */
const SHOWN = 4;
/** The hour at which something begins that is created for a day. */
const MORNING = 9;

export const morningOf = (day: Day): Date => {
  const date = startOf(day);
  date.setHours(MORNING);
  return date;
};

/** Weeks of a month; arrows move between days. */
export function MonthGrid(props: GridProps) {
  const { days } = props;
  const today = dayOf(new Date());
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useState(days.includes(today) ? today : days[0]!);
  const at = Math.max(0, days.indexOf(active));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    const here = days.indexOf((event.target as HTMLElement).dataset.day ?? '');
    const next = by && here >= 0 && days[here + by];
    if (!next) return;
    event.preventDefault();
    setActive(next);
    body.current!.querySelector<HTMLElement>(`[data-day="${next}"]`)!.focus();
  };
  return (
    <div className="calendar-scroll">
      <table className="month">
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day} scope="col">
                {weekdayOf(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {Array.from({ length: days.length / 7 }, (_, week) => (
            <tr key={days[week * 7]}>
              {days.slice(week * 7, week * 7 + 7).map((day) => (
                <DayCell key={day} {...props} day={day} isActive={day === days[at]} isToday={day === today} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface DayCellProps extends GridProps {
  day: Day;
  isActive: boolean;
  isToday: boolean;
}

function DayCell({ day, isActive, isToday, month, entries, open, create, move, toDay }: DayCellProps) {
  const here = entriesOn(entries, day);
  const shown = here.length > SHOWN ? here.slice(0, SHOWN - 1) : here;
  const begin = () => create?.(morningOf(day));
  const drop = move && ((entry: CalendarEntry) => void move(entry, atTimeOf(day, entry.start)));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button of the day does the same by key
    <td
      className={day.startsWith(month) ? undefined : 'other'}
      onClick={({ target, currentTarget }) => target === currentTarget && begin()}
      {...dropOf(drop)}
    >
      <button
        type="button"
        className="month-day"
        data-day={day}
        tabIndex={isActive ? 0 : -1}
        aria-current={isToday ? 'date' : undefined}
        aria-label={create ? viewWords.newOn(fullDayOf(day)) : fullDayOf(day)}
        onClick={create ? begin : () => toDay(day)}
      >
        {Number(day.slice(8))}
      </button>
      <ul>
        {shown.map((entry) => (
          <li key={entry.id} {...dragOf(entry, move !== undefined)}>
            <EntryButton entry={entry} open={open} />
          </li>
        ))}
        {here.length > shown.length && (
          <li>
            <button type="button" className="month-more" onClick={() => toDay(day)}>
              {viewWords.more(here.length - shown.length)}
            </button>
          </li>
        )}
      </ul>
    </td>
  );
}

/** An entry in one line. */
export const EntryButton = ({ entry, open }: { entry: CalendarEntry; open(entry: CalendarEntry): void }) => (
  <button
    type="button"
    className={entry.isWhole ? 'calendar-entry whole' : 'calendar-entry'}
    onClick={() => open(entry)}
  >
    {!entry.isWhole && <span className="quiet figures">{timeOf(entry.start)} </span>}
    {entry.name}
  </button>
);
