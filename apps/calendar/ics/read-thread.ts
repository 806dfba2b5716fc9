import { type ReadCalendar, readCalendar } from './read-ics.ts';

// Runs in the thread of `src/thread.ts`.

export default ({ text, tz }: { text: string; tz: string }): ReadCalendar => readCalendar(text, tz);
