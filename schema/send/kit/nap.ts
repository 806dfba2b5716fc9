/** A pause that others can end. */
export interface Nap {
  sleep(ms: number): Promise<void>;
  /** Ends the running pause, or the next one before it begins. */
  wake(): void;
}

export function createNap(): Nap {
  let woken = false;
  let end: (() => void) | null = null;
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => end?.(), woken ? 0 : ms);
        end = () => {
          clearTimeout(timer);
          end = null;
          woken = false;
          resolve();
        };
      }),
    wake() {
      woken = true;
      end?.();
    },
  };
}

/**
 * The workspace a claim served last, of what it gave; as `before` when that is nothing: who begins with the first
 * workspace each time serves no other. Pure.
 */
export const lastServed = (before: number, claimed: { workspace_id: number }[]): number =>
  claimed.length > 0 ? Math.max(...claimed.map((each) => each.workspace_id)) : before;
