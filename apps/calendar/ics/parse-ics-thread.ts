import { type ParsedCalendar, parseCalendar } from './parse-ics.ts';

// Runs in a worker thread (see `src/thread.ts`).

export default ({ text, tz }: { text: string; tz: string }): ParsedCalendar => parseCalendar(text, tz);
