import { useNavigate } from '@tanstack/react-router';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import type { ReplyMode } from '../composers.ts';
import { ALL_MAILBOXES, STARRED } from '../mail-location.ts';
import { mailStrings } from '../strings.ts';
import { findJustSent, undoSend } from '../undo-send.ts';
import type { CommandContext } from './command-context.ts';
import type { MailCommands } from './mail-commands.ts';

interface MailShortcutsOptions {
  context: CommandContext;
  commands: MailCommands;
  reply(mode: ReplyMode): void;
  write(): void;
  refresh(): void;
}

export function useMailShortcuts({ context, commands, reply, write, refresh }: MailShortcutsOptions): void {
  const { location, rows, active, choosing, actions, close } = context;
  const navigate = useNavigate();
  const undo = async () => {
    const sent = await findJustSent();
    if (!sent) return actions.undo();
    await undoSend(sent);
    refresh();
  };
  const go = (folder: string) => {
    const mailbox = location.mailbox ?? (folder === 'drafts' ? location.folder.accountId : ALL_MAILBOXES);
    void navigate({ to: '/mail/$mailbox/$folder', params: { mailbox, folder }, search: {} });
  };
  const toggleStar = () => commands.star(choosing.count > 0 || !rows.row(active)?.isStarred);
  const { keys } = mailStrings;
  useShortcuts([
    { keys: 'u', label: keys.list, run: close },
    { keys: 'x', label: keys.choose, run: () => choosing.choice.select(active, null) },
    { keys: 'e', label: keys.archive, run: commands.archive },
    { keys: '[Shift]+#', label: keys.trash, run: commands.trash },
    { keys: '[Shift]+!', label: keys.spam, run: commands.spam },
    { keys: 's', label: keys.star, run: toggleStar },
    { keys: 'Shift+I', label: keys.read, run: () => commands.read(true) },
    { keys: 'Shift+U', label: keys.unread, run: () => commands.read(false) },
    { keys: 'v', label: mailStrings.moveTo, run: commands.askMove },
    { keys: 'l', label: mailStrings.labels, run: commands.askLabels },
    { keys: 'z', label: keys.undo, run: () => void undo() },
    { keys: 'g i', label: keys.inbox, run: () => go('inbox') },
    { keys: 'c', label: mailStrings.compose, run: write },
    { keys: 'r', label: mailStrings.reply, run: () => reply('reply') },
    { keys: 'a', label: mailStrings.replyAll, run: () => reply('reply_all') },
    { keys: 'f', label: mailStrings.forward, run: () => reply('forward') },
    { keys: 'g s', label: keys.starred, run: () => go(STARRED) },
    { keys: 'g d', label: keys.drafts, run: () => go('drafts') },
    { keys: 'g t', label: keys.sent, run: () => go('sent') },
  ]);
}
