import { afterAll, beforeEach, vi } from 'vitest';

const MAX_TITLE_LENGTH = 200;

/** A title names the case. A title that contains the input grows with it. */
beforeEach(({ task }) => {
  if (task.name.length > MAX_TITLE_LENGTH)
    throw new Error(`a title of ${task.name.length} characters: ${task.name.slice(0, MAX_TITLE_LENGTH)}`);
});

/** Test files share a process, so if the timers stayed fake, the next file would wait forever. */
afterAll(() => {
  if (!vi.isFakeTimers()) return;
  vi.useRealTimers();
  throw new Error('The clock of the process was left standing: end with vi.useRealTimers().');
});
