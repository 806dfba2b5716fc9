import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useAction } from '../../shell/use-action.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
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
  const { isBusy, act } = useAction();
  const remove = () =>
    act(async () => {
      await runMutation(SuppressionRemoveDocument, { email });
      showToast(suppressionStrings.removed(email));
      onClose();
    });
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
        {can.has('suppressionRemove') && (
          <Button look="danger" isBusy={isBusy} onClick={remove}>
            {suppressionStrings.remove}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
