import type { FormEvent } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { parsePastedAddresses } from './address.ts';
import { SuppressionsAddDocument } from './generated.ts';
import { suppressionStrings } from './strings.ts';

export function AddSuppressionsDialog({ onClose }: { onClose(): void }) {
  const { isBusy, refusal, act } = useFormAction();
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const emails = parsePastedAddresses(String(new FormData(event.currentTarget).get('emails')));
    void act(async () => {
      const { suppressionsAdd } = await runMutation(SuppressionsAddDocument, { emails });
      showToast(formatCount(suppressionsAdd.added, suppressionStrings.added));
      onClose();
    });
  };
  return (
    <Dialog title={suppressionStrings.add} onClose={onClose}>
      <p>{suppressionStrings.addText}</p>
      <form className="suppressions-add" onSubmit={add}>
        <TextArea
          name="emails"
          label={suppressionStrings.addresses}
          hint={suppressionStrings.addressesHint}
          required
          autoCapitalize="none"
          spellCheck={false}
          error={refusal?.message}
        />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {suppressionStrings.add}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
