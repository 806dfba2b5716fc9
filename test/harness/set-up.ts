import { afterAll, beforeAll } from 'vitest';

/**
 * Calls `start` before the tests of the calling file. If its result has a `close`, calls it after them. The returned
 * object receives the properties of the result in between, so that hooks and tests can use it, but not the file's top
 * level. The result must be a plain object whose properties do not change.
 */
export function setUp<T extends object & { close?(): unknown }>(start: () => T | Promise<T>): T {
  const started = {} as T;
  beforeAll(async () => {
    Object.assign(started, await start());
  });
  afterAll(() => started.close?.());
  return started;
}
