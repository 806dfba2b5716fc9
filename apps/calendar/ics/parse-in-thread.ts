import { limits } from '../../../src/limits.ts';
import { runInThread, type TaskOwner } from '../../../src/thread.ts';
import type { ParsedCalendar } from './parse-ics.ts';

const THREAD_URL = new URL('./parse-ics-thread.ts', import.meta.url);

/**
 * Reads a calendar file beside the event loop: the largest takes more than a second.
 * @throws as readCalendar; BUSY when it takes too long
 */
export const parseCalendarInThread = (text: string, tz: string, holder: TaskOwner): Promise<ParsedCalendar> =>
  runInThread(THREAD_URL, { text, tz }, holder, { ms: limits.calendar.readTime });
