import { limits } from '../../../src/limits.ts';
import { runInThread, type TaskOwner } from '../../../src/thread.ts';
import type { ReadCalendar } from './read-ics.ts';

const THREAD = new URL('./read-thread.ts', import.meta.url);

/**
 * Reads a calendar file beside the event loop: the largest takes more than a second.
 * @throws as readCalendar; BUSY when it takes too long
 */
export const readCalendarInThread = (text: string, tz: string, holder: TaskOwner): Promise<ReadCalendar> =>
  runInThread(THREAD, { text, tz }, holder, { ms: limits.calendar.readTime });
