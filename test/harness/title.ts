import { afterAll, beforeEach, vi } from 'vitest';

const MAX_TITLE_LENGTH = 200;

/** Rejects long titles, because a title that contains its input grows with the input. */
beforeEach(({ task }) => {
  if (task.name.length > MAX_TITLE_LENGTH)
    throw new Error(`a title of ${task.name.length} characters: ${task.name.slice(0, MAX_TITLE_LENGTH)}`);
});

/** Restores real timers. Test files share a process, so with fake timers the next file would wait forever. */
afterAll(() => {
  if (!vi.isFakeTimers()) return;
  vi.useRealTimers();
  throw new Error('The clock of the process was left standing: end with vi.useRealTimers().');
});
