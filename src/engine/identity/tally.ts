export function createTally() {
  const counts = new Map<string, number>();
  function begin(name: string): () => void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return () => {
      const remainingCount = counts.get(name)! - 1;
      if (remainingCount > 0) counts.set(name, remainingCount);
      else counts.delete(name);
    };
  }
  return {
    of: (name: string): number => counts.get(name) ?? 0,
    begin,
    async during<T>(name: string, fn: () => Promise<T>): Promise<T> {
      const end = begin(name);
      try {
        return await fn();
      } finally {
        end();
      }
    },
  };
}
