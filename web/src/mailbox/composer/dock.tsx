import './composer.css';
import { useEffect } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { useViewer } from '../../shell/viewer.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useComposers } from '../composers.ts';
import { Composer } from './composer.tsx';
import type { Sender } from './head.tsx';
import type { ComposerMailboxes } from './initial-message.ts';
import { deleteLocalDraft, findAbandonedDrafts } from './local-drafts.ts';
import { saveDraft } from './send.ts';
import { composerStrings } from './strings.ts';
import { prepareFrame } from './text/spare-frame.ts';

interface DockProps {
  senders: readonly Sender[];
  mailbox: string;
  /** True if formatting, attachments, Cc and Bcc are allowed. */
  isRich: boolean;
  onChange(): void;
}

export function Dock({ senders, mailbox, isRich, onChange }: DockProps) {
  const composers = useComposers();
  useDraftRecovery(onChange);
  useEffect(prepareFrame, []);
  const mailboxes: ComposerMailboxes = { ownMailboxes: senders, first: mailbox, isRich };
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

function useDraftRecovery(onChange: () => void): void {
  const { viewer, workspace } = useViewer();
  const user = `${workspace.id}.${viewer.userId}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount
  useEffect(() => {
    void recoverDrafts(user)
      .then((count) => {
        if (count === 0) return;
        showToast(formatCount(count, composerStrings.recovered));
        onChange();
      })
      .catch(() => undefined);
  }, [user]);
}

async function recoverDrafts(user: string): Promise<number> {
  let count = 0;
  for (const [key, { values, draft }] of await findAbandonedDrafts(user)) {
    const result = await saveDraft({ ...values, ...(draft && { draft }) });
    if (result.state === 'offline') continue;
    if (result.state === 'saved') count += 1;
    await deleteLocalDraft(key);
  }
  return count;
}
