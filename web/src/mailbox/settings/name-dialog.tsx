import { type FormEvent, useState } from 'react';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { LabelDot } from '../labels.tsx';
import { settingsStrings } from './strings.ts';

export interface NameInput {
  name: string;
  color: number;
}

interface NameDialogProps {
  title: string;
  first: NameInput;
  hasColor: boolean;
  /** @returns the error message, or null if the name was saved */
  onSave(formData: NameInput): Promise<string | null>;
  onClose(): void;
}

export function NameDialog({ title, first, hasColor, onSave, onClose }: NameDialogProps) {
  const [formError, setFormError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setIsBusy(true);
    const error = await onSave({
      name: String(formData.get('name')).trim(),
      color: Number(formData.get('color')),
    });
    setIsBusy(false);
    setFormError(error);
    if (error === null) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="mail-settings-form" onSubmit={save}>
        <Field
          name="name"
          label={settingsStrings.name}
          defaultValue={first.name}
          required
          maxLength={hasColor ? 40 : 100}
          autoComplete="off"
          error={formError}
        />
        {hasColor && (
          <fieldset className="label-colors">
            <legend>{settingsStrings.color}</legend>
            {settingsStrings.colors.map((name, color) => (
              <label key={name}>
                <input type="radio" name="color" value={color} defaultChecked={color === first.color} />
                <LabelDot color={color} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {settingsStrings.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
