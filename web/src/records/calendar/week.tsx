import { type CSSProperties, type MouseEvent, useEffect, useRef } from 'react';
import { viewWords } from '../view-words.ts';
import { atTimeOf, type Day, dayOf, startOf } from './days.ts';
import { type CalendarEntry, entriesOn, lanesOf } from './entries.ts';
import { dragOf, dropOf, type GridProps } from './grid.ts';
import { EntryButton, morningOf } from './month.tsx';
import { fullDayOf, timeOf, weekdayOf } from './titles.ts';

/** Pixels of an hour, as in the style. */
const HOUR = 44;
const MINUTES = 60;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** What is dropped or begun lies on a quarter or half of an hour. */
const QUARTER = 15;
const HALF = 30;
/** The hour that is at the top at first. */
const FIRST_SEEN = 7;
/** Minutes that the shortest entry is high. */
const LEAST = 28;

/** Days side by side, with the hours from top to bottom. */
export function WeekGrid(props: GridProps) {
  const { days, entries, create, move, open } = props;
  const today = dayOf(new Date());
  const hours = useRef<HTMLElement>(null);
  useEffect(() => {
    hours.current!.scrollTop = FIRST_SEEN * HOUR;
  }, []);
  const width = { '--days': days.length } as CSSProperties;
  return (
    <div className="week" style={width}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard */}
      <section className="week-scroll" ref={hours} aria-label={viewWords.spans.week} tabIndex={0}>
        <div className="week-heads">
          <span />
          {days.map((day) => (
            <div key={day} {...dropOf(move && ((entry) => void move(entry, atTimeOf(day, entry.start))))}>
              <DayHead day={day} isToday={day === today} {...props} />
              <ul>
                {entriesOn(entries, day)
                  .filter(isLong)
                  .map((entry) => (
                    <li key={entry.id} {...dragOf(entry, move !== undefined)}>
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
                {hour > 0 && timeOf(new Date(2026, 0, 1, hour))}
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

/** Whether it stands above the hours. Pure. */
const isLong = ({ isWhole, start, end }: CalendarEntry): boolean =>
  isWhole || end.getTime() - start.getTime() >= 24 * MINUTES * 60_000;

function DayHead({ day, isToday, create, toDay }: GridProps & { day: Day; isToday: boolean }) {
  return (
    <button
      type="button"
      className="week-day"
      aria-current={isToday ? 'date' : undefined}
      title={create ? viewWords.newOn(fullDayOf(day)) : fullDayOf(day)}
      onClick={() => (create ? create(morningOf(day)) : toDay(day))}
    >
      <span className="quiet small">{weekdayOf(day)}</span> <strong>{Number(day.slice(8))}</strong>
    </button>
  );
}

type DayColumnProps = Pick<GridProps, 'entries' | 'create' | 'move' | 'open'> & {
  day: Day;
  isToday: boolean;
};

function DayColumn({ day, isToday, entries, create, move, open }: DayColumnProps) {
  const laned = lanesOf(entriesOn(entries, day).filter((entry) => !isLong(entry)));
  const at = (below: number, step: number) => {
    const minutes = Math.max(0, Math.min(24 * MINUTES - step, (below / HOUR) * MINUTES));
    const date = startOf(day);
    date.setMinutes(Math.round(minutes / step) * step);
    return date;
  };
  const begin = ({ clientY, target, currentTarget }: MouseEvent) => {
    if (target !== currentTarget) return;
    const below = clientY - currentTarget.getBoundingClientRect().top;
    create?.(at(below - HOUR / 4, HALF));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button of the day does the same by key
    // biome-ignore lint/a11y/noStaticElementInteractions: a time by a click, beside the button of the day
    <div
      className={isToday ? 'week-column today' : 'week-column'}
      onClick={begin}
      {...dropOf(move && ((entry, below) => void move(entry, at(below, QUARTER))))}
    >
      {laned.map(({ entry, lane, lanes }) => (
        <button
          key={entry.id}
          type="button"
          className="calendar-entry timed"
          style={placeOf(day, entry, lane / lanes, 1 / lanes)}
          onClick={() => open(entry)}
          {...dragOf(entry, move !== undefined)}
        >
          <span className="figures small">{timeOf(entry.start)}</span> {entry.name}
        </button>
      ))}
    </div>
  );
}

/** Where it stands in its column. Pure. */
function placeOf(day: Day, { start, end }: CalendarEntry, from: number, width: number): CSSProperties {
  const midnight = startOf(day).getTime();
  const first = Math.max(0, (start.getTime() - midnight) / 60_000);
  const last = Math.min(24 * MINUTES, (end.getTime() - midnight) / 60_000);
  return {
    '--from': first / MINUTES,
    '--hours': Math.max(LEAST, last - first) / MINUTES,
    '--lane': `${from * 100}%`,
    '--width': `${width * 100}%`,
  } as CSSProperties;
}
