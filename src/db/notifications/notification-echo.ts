interface NotificationEcho {
  /** Starts checking a new listening connection. Discards the results of the previous connection. */
  begin(): void;
  receive(payload: string): void;
  stop(): void;
}

/**
 * Sends numbered notifications to this process at intervals. If a committed notification has not arrived by the next
 * one, notifications are being lost, for example behind a pooler in transaction mode. A failed send is ignored.
 */
export function createNotificationEcho(
  send: (payload: string) => Promise<void>,
  report: (arrives: boolean) => void,
  intervalMs: number,
): NotificationEcho {
  let lastSent = 0;
  let lastCommitted = 0;
  let lastReceived = 0;
  let timer: NodeJS.Timeout | undefined;

  async function sendEcho(): Promise<void> {
    const number = ++lastSent;
    const startedTimer = timer;
    try {
      await send(String(number));
      // By the time the send returns, this process has read its pending notifications.
      if (startedTimer !== timer) return;
      if (lastReceived < lastCommitted) report(false);
      lastCommitted = number;
    } catch {
      // If the database is down or busy, the requests of this process report it.
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    begin() {
      stop();
      lastCommitted = 0;
      timer = setInterval(sendEcho, intervalMs).unref();
      sendEcho();
    },
    receive(payload) {
      lastReceived = Math.max(lastReceived, Number(payload));
      report(true);
    },
    stop,
  };
}
