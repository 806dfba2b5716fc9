/** Checks that notifications sent through the pool reach the listening connection. */
export interface NotificationEcho {
  /** Starts over for a new listening connection, before anything is known about it. */
  begin(): void;
  receive(payload: string): void;
  stop(): void;
}

/**
 * Sends itself a numbered notification at intervals. If a committed notification has not arrived by the next one,
 * notifications are being lost, for example behind a pooler in transaction mode. Failed sends prove nothing.
 * @param pause interval in milliseconds
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
      // This process has read its pending notifications by the time the send returns.
      if (running !== timer) return;
      if (heard < committed) proven(false);
      committed = own;
    } catch {
      // The database is down or busy. Requests of this process report that themselves.
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
