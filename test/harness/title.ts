import { beforeEach } from 'vitest';

const LONGEST = 200;

/** A title names the case. One that holds the value itself grows with it, and is no title any more. */
beforeEach(({ task }) => {
  if (task.name.length > LONGEST)
    throw new Error(`a title of ${task.name.length} characters: ${task.name.slice(0, LONGEST)}`);
});
