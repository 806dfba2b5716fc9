import { formatInstant } from '../../i18n/format.ts';
import { ActionButton } from '../../shell/action-buttons.tsx';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { shellStrings } from '../../shell/strings.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Dialog } from '../../ui/dialog.tsx';
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
  const remove = () =>
    runWithToast(SuppressionRemoveDocument, { email }, suppressionStrings.removed(email)).then(onClose);
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
