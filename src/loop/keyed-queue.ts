/** Runs tasks with the same key one after another, even if earlier ones fail. */
export function createKeyedQueue<Key>(): <T>(key: Key, run: () => Promise<T>) => Promise<T> {
  const lastTasks = new Map<Key, Promise<unknown>>();
  return (key, run) => {
    const before = lastTasks.get(key);
    const task = before ? before.then(run, run) : run();
    lastTasks.set(key, task);
    const end = () => {
      if (lastTasks.get(key) === task) lastTasks.delete(key);
    };
    task.then(end, end);
    return task;
  };
}
