import { type CSSProperties, type MouseEvent, useEffect, useRef } from 'react';
import { viewStrings } from '../view-strings.ts';
import { type Day, getStartOfDay, moveToDay, toDayString } from './days.ts';
import { assignLanes, type CalendarEntry, getEntriesOn } from './entries.ts';
import { type GridProps, getDragProps, getDropProps } from './grid.ts';
import { EntryButton, getDefaultStart } from './month.tsx';
import { formatFullDay, formatTime, formatWeekday } from './titles.ts';

/** Height of an hour in pixels. Must match the stylesheet. */
const HOUR_HEIGHT_PX = 44;
const MINUTES_PER_HOUR = 60;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Drops and new entries are rounded to these steps. */
const DROP_STEP_MINUTES = 15;
const CLICK_STEP_MINUTES = 30;
/** The week is initially scrolled to this hour. */
const FIRST_VISIBLE_HOUR = 7;
/** Minimum height of an entry, in minutes. */
const MIN_ENTRY_MINUTES = 28;

/** Shows days side by side, with the hours from top to bottom. */
export function WeekGrid(props: GridProps) {
  const { days, entries, create, move, open } = props;
  const today = toDayString(new Date());
  const hours = useRef<HTMLElement>(null);
  useEffect(() => {
    hours.current!.scrollTop = FIRST_VISIBLE_HOUR * HOUR_HEIGHT_PX;
  }, []);
  const width = { '--days': days.length } as CSSProperties;
  return (
    <div className="week" style={width}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll */}
      <section className="week-scroll" ref={hours} aria-label={viewStrings.spans.week} tabIndex={0}>
        <div className="week-heads">
          <span />
          {days.map((day) => (
            <div
              key={day}
              {...getDropProps(move && ((entry) => void move(entry, moveToDay(day, entry.start))))}
            >
              <DayHead day={day} isToday={day === today} {...props} />
              <ul>
                {getEntriesOn(entries, day)
                  .filter(isAllDay)
                  .map((entry) => (
                    <li key={entry.id} {...getDragProps(entry, move !== undefined)}>
                      <EntryButton entry={entry} open={open} />
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </div>
        <div className="week-hours">
          <ol aria-hidden="true">
            {HOURS.map((hour) => (
              <li key={hour} className="quiet small figures">
                {hour > 0 && formatTime(new Date(2026, 0, 1, hour))}
              </li>
            ))}
          </ol>
          {days.map((day) => (
            <DayColumn key={day} day={day} isToday={day === today} {...{ entries, create, move, open }} />
          ))}
        </div>
      </section>
    </div>
  );
}

/** True for entries that are shown above the hours. */
const isAllDay = ({ isWhole, start, end }: CalendarEntry): boolean =>
  isWhole || end.getTime() - start.getTime() >= 24 * MINUTES_PER_HOUR * 60_000;

function DayHead({ day, isToday, create, toDay }: GridProps & { day: Day; isToday: boolean }) {
  return (
    <button
      type="button"
      className="week-day"
      aria-current={isToday ? 'date' : undefined}
      title={create ? viewStrings.newOnDay(formatFullDay(day)) : formatFullDay(day)}
      onClick={() => (create ? create(getDefaultStart(day)) : toDay(day))}
    >
      <span className="quiet small">{formatWeekday(day)}</span> <strong>{Number(day.slice(8))}</strong>
    </button>
  );
}

type DayColumnProps = Pick<GridProps, 'entries' | 'create' | 'move' | 'open'> & {
  day: Day;
  isToday: boolean;
};

function DayColumn({ day, isToday, entries, create, move, open }: DayColumnProps) {
  const lanedEntries = assignLanes(getEntriesOn(entries, day).filter((entry) => !isAllDay(entry)));
  const toTime = (offset: number, step: number) => {
    const minutes = Math.max(
      0,
      Math.min(24 * MINUTES_PER_HOUR - step, (offset / HOUR_HEIGHT_PX) * MINUTES_PER_HOUR),
    );
    const date = getStartOfDay(day);
    date.setMinutes(Math.round(minutes / step) * step);
    return date;
  };
  const createAt = ({ clientY, target, currentTarget }: MouseEvent) => {
    if (target !== currentTarget) return;
    const offset = clientY - currentTarget.getBoundingClientRect().top;
    create?.(toTime(offset - HOUR_HEIGHT_PX / 4, CLICK_STEP_MINUTES));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the day's button offers the same by keyboard
    // biome-ignore lint/a11y/noStaticElementInteractions: the day's button offers the same by keyboard
    <div
      className={isToday ? 'week-column today' : 'week-column'}
      onClick={createAt}
      {...getDropProps(move && ((entry, offset) => void move(entry, toTime(offset, DROP_STEP_MINUTES))))}
    >
      {lanedEntries.map(({ entry, lane, lanes }) => (
        <button
          key={entry.id}
          type="button"
          className="calendar-entry timed"
          style={computePosition(day, entry, lane / lanes, 1 / lanes)}
          onClick={() => open(entry)}
          {...getDragProps(entry, move !== undefined)}
        >
          <span className="figures small">{formatTime(entry.start)}</span> {entry.name}
        </button>
      ))}
    </div>
  );
}

function computePosition(
  day: Day,
  { start, end }: CalendarEntry,
  from: number,
  width: number,
): CSSProperties {
  const midnight = getStartOfDay(day).getTime();
  const first = Math.max(0, (start.getTime() - midnight) / 60_000);
  const last = Math.min(24 * MINUTES_PER_HOUR, (end.getTime() - midnight) / 60_000);
  return {
    '--from': first / MINUTES_PER_HOUR,
    '--hours': Math.max(MIN_ENTRY_MINUTES, last - first) / MINUTES_PER_HOUR,
    '--lane': `${from * 100}%`,
    '--width': `${width * 100}%`,
  } as CSSProperties;
}
