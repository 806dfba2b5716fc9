import type { FormEvent } from 'react';
import { change } from '../../graphql/client.ts';
import { counted } from '../../i18n/format.ts';
import { useFormAct } from '../../shell/act.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';
import { pasted } from './address.ts';
import { SuppressionsAddDocument } from './generated.ts';
import { suppressionWords } from './words.ts';

/** Puts one address on the list, or many that are pasted. */
export function AddSuppressions({ onClose }: { onClose(): void }) {
  const { isBusy, refusal, act } = useFormAct();
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const emails = pasted(String(new FormData(event.currentTarget).get('emails')));
    void act(async () => {
      const { suppressionsAdd } = await change(SuppressionsAddDocument, { emails });
      say(counted(suppressionsAdd.added, suppressionWords.added));
      onClose();
    });
  };
  return (
    <Dialog title={suppressionWords.add} onClose={onClose}>
      <p>{suppressionWords.addText}</p>
      <form className="suppressions-add" onSubmit={add}>
        <TextField
          name="emails"
          label={suppressionWords.addresses}
          hint={suppressionWords.addressesHint}
          required
          autoCapitalize="none"
          spellCheck={false}
          error={refusal?.message}
        />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {suppressionWords.add}
          </Button>
          <Button onClick={onClose}>{shellWords.close}</Button>
        </div>
      </form>
    </Dialog>
  );
}
