/** Says whether what is notified through the pool is heard by the connection that listens. */
export interface NotificationEcho {
  /** The connection listens: nothing is known of it yet. */
  begin(): void;
  receive(payload: string): void;
  stop(): void;
}

/**
 * Sends a numbered notification to itself now and then. One that was committed and not heard until the next proves that
 * notifications get lost on the way, as behind a pooler that gives connections by transaction. One that could not be
 * sent proves nothing.
 * @param pause milliseconds
 */
export function createNotificationEcho(
  send: (payload: string) => Promise<void>,
  proven: (arrives: boolean) => void,
  pause: number,
): NotificationEcho {
  let last = 0;
  let committed = 0;
  let heard = 0;
  let timer: NodeJS.Timeout | undefined;

  async function round(): Promise<void> {
    const own = ++last;
    const running = timer;
    try {
      await send(String(own));
      // While it was sent, this process has also read what else was there for it.
      if (running !== timer) return;
      if (heard < committed) proven(false);
      committed = own;
    } catch {
      // The database is away or busy, and the callers of this process hear so themselves.
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    begin() {
      stop();
      committed = 0;
      timer = setInterval(round, pause).unref();
      round();
    },
    receive(payload) {
      heard = Math.max(heard, Number(payload));
      proven(true);
    },
    stop,
  };
}
