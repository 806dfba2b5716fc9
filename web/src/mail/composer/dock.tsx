import './composer.css';
import { useEffect } from 'react';
import { counted } from '../../i18n/format.ts';
import { useViewer } from '../../shell/viewer.ts';
import { say } from '../../ui/toasts.tsx';
import { useComposers } from '../composers.ts';
import type { Mailboxes } from './begin.ts';
import { Composer } from './composer.tsx';
import type { Sender } from './head.tsx';
import { dropLocal, leftLocals } from './local-drafts.ts';
import { saveDraft } from './send.ts';
import { prepareFrame } from './text/spare-frame.ts';
import { composerWords } from './words.ts';

interface DockProps {
  senders: readonly Sender[];
  /** The mailbox that is open. */
  mailbox: string;
  /** Whether more than plain text to visible recipients can be sent. */
  isRich: boolean;
  onChange(): void;
}

/** The messages that are being written, side by side. */
export function Dock({ senders, mailbox, isRich, onChange }: DockProps) {
  const composers = useComposers();
  useLeftDrafts(onChange);
  useEffect(prepareFrame, []);
  const mailboxes: Mailboxes = { own: senders, first: mailbox, isRich };
  return (
    <div className="composers">
      {composers.map((composer) => (
        <Composer
          key={composer.key}
          composer={composer}
          senders={senders}
          mailboxes={mailboxes}
          onChange={onChange}
        />
      ))}
    </div>
  );
}

/** What a page that is gone could not save becomes a draft. */
function useLeftDrafts(onChange: () => void): void {
  const { viewer, workspace } = useViewer();
  const user = `${workspace.id}.${viewer.userId}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once
  useEffect(() => {
    void saveLeft(user)
      .then((count) => {
        if (count === 0) return;
        say(counted(count, composerWords.recovered));
        onChange();
      })
      .catch(() => undefined);
  }, [user]);
}

/** @returns how many were saved */
async function saveLeft(user: string): Promise<number> {
  let count = 0;
  for (const [key, { values, draft }] of await leftLocals(user)) {
    const saved = await saveDraft({ ...values, ...(draft && { draft }) });
    if (saved.state === 'offline') continue;
    if (saved.state === 'saved') count += 1;
    await dropLocal(key);
  }
  return count;
}
