import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLiveChanges } from '../graphql/live.ts';
import { createMailActions } from './actions.ts';

/** Changes within this interval are combined into one reload. */
const RELOAD_DELAY_MS = 250;

/** Provides the message actions. Reloads once for several changes, including changes made elsewhere. */
export function useMailActions(reload: () => void, onChange: () => void) {
  const [changes, setChanges] = useState(0);
  const refresh = useCallback(() => {
    setChanges((count) => count + 1);
    reload();
    onChange();
  }, [reload, onChange]);
  const latest = useRef(refresh);
  latest.current = refresh;
  const scheduled = useRef<{ timer: number; at: number }>(null);
  useEffect(() => () => clearTimeout(scheduled.current?.timer), []);
  const scheduleReload = useCallback((pause: number) => {
    const at = performance.now() + pause;
    // Keeps an earlier scheduled reload. Otherwise, a steady stream of messages would postpone it forever.
    if (scheduled.current && scheduled.current.at <= at) return;
    clearTimeout(scheduled.current?.timer);
    const run = () => {
      scheduled.current = null;
      latest.current();
    };
    scheduled.current = { timer: window.setTimeout(run, pause), at };
  }, []);
  useLiveChanges('svc.mail.entry', () => scheduleReload(RELOAD_DELAY_MS));
  const actions = useMemo(() => createMailActions(() => scheduleReload(0)), [scheduleReload]);
  return { actions, refresh, changes };
}
