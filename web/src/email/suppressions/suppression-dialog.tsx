import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { ActionButton } from '../../shell/action-buttons.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { SuppressionRemoveDocument, type SuppressionsQuery } from './generated.ts';
import { suppressionStrings } from './strings.ts';

interface SuppressionDialogProps {
  entry: SuppressionsQuery['suppressions']['nodes'][number];
  onClose(): void;
}

export function SuppressionDialog({
  entry: { email, reason, source, createdAt, expiresAt },
  onClose,
}: SuppressionDialogProps) {
  const { can } = useViewer();
  const remove = async () => {
    await runMutation(SuppressionRemoveDocument, { email });
    showToast(suppressionStrings.removed(email));
    onClose();
  };
  return (
    <Dialog title={email} onClose={onClose}>
      <p>{suppressionStrings.meanings[reason]}</p>
      <p className="quiet small">
        {suppressionStrings.since(formatInstant(createdAt))}
        {expiresAt && ` · ${suppressionStrings.until(formatInstant(expiresAt))}`}
        {source && ` · ${source}`}
      </p>
      {can.has('suppressionRemove') && <p>{suppressionStrings.removeText[reason]}</p>}
      <DialogButtons leave={shellStrings.close} onClose={onClose}>
        <ActionButton needs="suppressionRemove" look="danger" onAct={remove}>
          {suppressionStrings.remove}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
