import { useReducer } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useFormAction } from '../../shell/use-action.ts';
import { showToast } from '../../ui/toasts.tsx';
import { MailImapProbeDocument, MailImportStartDocument } from './generated.ts';
import { EMPTY_IMAP_FORM, getImapErrorField, type ImapConnection, reduceImapForm } from './imap-form.ts';
import { transferStrings } from './strings.ts';

export function useImapImport(mailbox: string, onStarted: () => void) {
  // The password is kept only in this component's state, and is discarded with it.
  const [form, dispatch] = useReducer(reduceImapForm, EMPTY_IMAP_FORM);
  const { isBusy, refusal, act } = useFormAction();
  const { conn, folders, selected, error } = form;
  const probe = () =>
    act(async () => {
      const { mailImapProbe: outcome } = await runMutation(MailImapProbeDocument, { mailbox, conn });
      dispatch({ kind: 'probe', outcome });
    });
  const start = (all: NonNullable<typeof folders>) =>
    act(async () => {
      const chosen = all.filter(({ folder }) => selected.has(folder));
      const { mailImportStart: outcome } = await runMutation(MailImportStartDocument, {
        mailbox,
        conn,
        folders: chosen.map(({ folder, kind }) => ({ folder, kind })),
      });
      dispatch({ kind: 'start', outcome });
      if (!outcome.ok) return;
      showToast(transferStrings.started);
      onStarted();
    });
  const errorField = getImapErrorField(form);
  return {
    form,
    isBusy,
    editConnection: (changes: Partial<ImapConnection>) => dispatch({ kind: 'edit-connection', changes }),
    selectFolder: (folder: string, isOn: boolean) => dispatch({ kind: 'select', folder, isOn }),
    submit: () => void (folders ? start(folders) : probe()),
    getFieldError: (field: string) => (errorField === field ? error!.message : null),
    otherError: refusal?.message ?? (errorField === null ? error?.message : null),
  };
}
