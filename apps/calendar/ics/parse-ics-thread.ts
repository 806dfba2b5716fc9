import { type ParsedCalendar, parseCalendar } from './parse-ics.ts';

// This module runs in a worker thread (`src/thread.ts`).

export default ({ text, tz }: { text: string; tz: string }): ParsedCalendar => parseCalendar(text, tz);
