import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { loadModule } from '../connection/load-module.ts';
import type { Mailbox, MailState } from './address.ts';
import { useComposers } from './composers.ts';

interface ComposersProps {
  state: MailState;
  mailbox: string;
  onChange(): void;
}

type Dock = ComponentType<{
  senders: readonly (Mailbox & { signaturePolicy: string })[];
  mailbox: string;
  isRich: boolean;
  onChange(): void;
}>;

/** Shows the composers. Loads their code while the page is idle. */
export function Composers({ state, mailbox, onChange }: ComposersProps) {
  const [Dock, setDock] = useState<Dock>();
  const isWanted = useComposers().length > 0;
  useEffect(() => {
    const load = () =>
      void loadModule(() => import('./composer/dock.tsx')).then((module) => setDock(() => module.Dock));
    if (isWanted || !window.requestIdleCallback) return load();
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, [isWanted]);
  const isRich = state.features.some(({ key, isOn }) => key === 'mail.composer2' && isOn);
  const { signaturePolicy } = state.prefs;
  const senders = useMemo(
    () => state.accounts.map((account) => ({ ...account, signaturePolicy })),
    [state.accounts, signaturePolicy],
  );
  return Dock && <Dock senders={senders} mailbox={mailbox} isRich={isRich} onChange={onChange} />;
}
