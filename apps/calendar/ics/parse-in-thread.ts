import { runInThread, type TaskOwner } from '../../../src/thread.ts';
import type { ParsedCalendar } from './parse-ics.ts';

const PARSE_TIMEOUT_MS = 10_000;

const THREAD_URL = new URL('./parse-ics-thread.ts', import.meta.url);

/**
 * Parses a calendar file in a worker thread, because the largest files take more than a second.
 * @throws BAD_REQUEST for the same reasons as `parseCalendar`, BUSY after a timeout
 */
export const parseCalendarInThread = (text: string, tz: string, holder: TaskOwner): Promise<ParsedCalendar> =>
  runInThread(THREAD_URL, { text, tz }, holder, { ms: PARSE_TIMEOUT_MS });
