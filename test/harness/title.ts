import { afterAll, beforeEach, vi } from 'vitest';

const MAX_TITLE_LENGTH = 200;

/** A title names the case. One that holds the value itself grows with it, and is no title any more. */
beforeEach(({ task }) => {
  if (task.name.length > MAX_TITLE_LENGTH)
    throw new Error(`a title of ${task.name.length} characters: ${task.name.slice(0, MAX_TITLE_LENGTH)}`);
});

/** Files share their process: the next one would wait for ever. */
afterAll(() => {
  if (!vi.isFakeTimers()) return;
  vi.useRealTimers();
  throw new Error('The clock of the process was left standing: end with vi.useRealTimers().');
});
