import { afterAll, beforeAll } from 'vitest';

/**
 * Calls `start` before the tests of the calling file, and closes its result after them. The returned object gets its
 * properties in between, so that hooks and tests can use it, but not the file's top level.
 */
export function setUp<T extends { close(): Promise<unknown> }>(start: () => Promise<T>): T {
  const started = {} as T;
  beforeAll(async () => {
    Object.assign(started, await start());
  });
  // Without `close`, the start failed.
  afterAll(() => started.close?.());
  return started;
}
