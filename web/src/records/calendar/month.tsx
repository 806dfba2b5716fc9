import { type KeyboardEvent, useRef, useState } from 'react';
import { viewStrings } from '../view-strings.ts';
import { type Day, getStartOfDay, moveToDay, toDayString } from './days.ts';
import { type CalendarEntry, getEntriesOn } from './entries.ts';
import { type GridProps, getDragProps, getDropProps } from './grid.ts';
import { formatFullDay, formatTime, formatWeekday } from './titles.ts';

/** Maximum number of entries shown per day. A link opens the others. */
const MAX_SHOWN_ENTRIES = 4;
const DEFAULT_START_HOUR = 9;

export const getDefaultStart = (day: Day): Date => {
  const date = getStartOfDay(day);
  date.setHours(DEFAULT_START_HOUR);
  return date;
};

/** Shows the days of a month. Arrow keys move between days. */
export function MonthGrid(props: GridProps) {
  const { days } = props;
  const today = toDayString(new Date());
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useState(days.includes(today) ? today : days[0]!);
  const index = Math.max(0, days.indexOf(active));
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = KEY_STEPS[event.key];
    const dayIndex = days.indexOf((event.target as HTMLElement).dataset.day ?? '');
    const next = delta && dayIndex >= 0 && days[dayIndex + delta];
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
                {formatWeekday(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {Array.from({ length: days.length / 7 }, (_, week) => (
            <tr key={days[week * 7]}>
              {days.slice(week * 7, week * 7 + 7).map((day) => (
                <DayCell
                  key={day}
                  {...props}
                  day={day}
                  isActive={day === days[index]}
                  isToday={day === today}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const KEY_STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface DayCellProps extends GridProps {
  day: Day;
  isActive: boolean;
  isToday: boolean;
}

function DayCell({ day, isActive, isToday, month, entries, open, create, move, toDay }: DayCellProps) {
  const dayEntries = getEntriesOn(entries, day);
  const visibleEntries =
    dayEntries.length > MAX_SHOWN_ENTRIES ? dayEntries.slice(0, MAX_SHOWN_ENTRIES - 1) : dayEntries;
  const createEntry = () => create?.(getDefaultStart(day));
  const drop = move && ((entry: CalendarEntry) => void move(entry, moveToDay(day, entry.start)));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the day's button offers the same by keyboard
    <td
      className={day.startsWith(month) ? undefined : 'other'}
      onClick={({ target, currentTarget }) => target === currentTarget && createEntry()}
      {...getDropProps(drop)}
    >
      <button
        type="button"
        className="month-day"
        data-day={day}
        tabIndex={isActive ? 0 : -1}
        aria-current={isToday ? 'date' : undefined}
        aria-label={create ? viewStrings.newOnDay(formatFullDay(day)) : formatFullDay(day)}
        onClick={create ? createEntry : () => toDay(day)}
      >
        {Number(day.slice(8))}
      </button>
      <ul>
        {visibleEntries.map((entry) => (
          <li key={entry.id} {...getDragProps(entry, move !== undefined)}>
            <EntryButton entry={entry} open={open} />
          </li>
        ))}
        {dayEntries.length > visibleEntries.length && (
          <li>
            <button type="button" className="month-more" onClick={() => toDay(day)}>
              {viewStrings.moreCount(dayEntries.length - visibleEntries.length)}
            </button>
          </li>
        )}
      </ul>
    </td>
  );
}

export const EntryButton = ({ entry, open }: { entry: CalendarEntry; open(entry: CalendarEntry): void }) => (
  <button
    type="button"
    className={entry.isWhole ? 'calendar-entry whole' : 'calendar-entry'}
    onClick={() => open(entry)}
  >
    {!entry.isWhole && <span className="quiet figures">{formatTime(entry.start)} </span>}
    {entry.name}
  </button>
);
