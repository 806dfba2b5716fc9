import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { useAction } from '../../shell/use-action.ts';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { SuppressionRemoveDocument, type SuppressionsQuery } from './generated.ts';
import { suppressionWords } from './words.ts';

interface SuppressionDialogProps {
  entry: SuppressionsQuery['suppressions']['nodes'][number];
  onClose(): void;
}

/** Why an address is on the list, and how it comes off it. */
export function SuppressionDialog({
  entry: { email, reason, source, createdAt, expiresAt },
  onClose,
}: SuppressionDialogProps) {
  const { can } = useViewer();
  const { isBusy, act } = useAction();
  const remove = () =>
    act(async () => {
      await runMutation(SuppressionRemoveDocument, { email });
      showToast(suppressionWords.removed(email));
      onClose();
    });
  return (
    <Dialog title={email} onClose={onClose}>
      <p>{suppressionWords.meanings[reason]}</p>
      <p className="quiet small">
        {suppressionWords.since(formatInstant(createdAt))}
        {expiresAt && ` · ${suppressionWords.until(formatInstant(expiresAt))}`}
        {source && ` · ${source}`}
      </p>
      {can.has('suppressionRemove') && <p>{suppressionWords.removeText[reason]}</p>}
      <div className="buttons">
        {can.has('suppressionRemove') && (
          <Button look="danger" isBusy={isBusy} onClick={remove}>
            {suppressionWords.remove}
          </Button>
        )}
        <Button onClick={onClose}>{shellWords.close}</Button>
      </div>
    </Dialog>
  );
}
