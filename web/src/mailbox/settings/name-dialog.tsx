import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { LabelDot } from '../labels.tsx';
import { settingsStrings } from './strings.ts';

export interface NameInput {
  name: string;
  color: number;
}

interface NameDialogProps {
  title: string;
  /** By default the title. */
  submit?: string | undefined;
  first: NameInput;
  hasColor: boolean;
  onSave(input: NameInput): Promise<void>;
  onClose(): void;
}

export function NameDialog({ title, submit, first, hasColor, onSave, onClose }: NameDialogProps) {
  const save = async (form: FormData) => {
    await onSave({ name: getText(form, 'name'), color: Number(form.get('color')) });
  };
  return (
    <FormDialog title={title} submit={submit} errorField="name" onSubmit={save} onClose={onClose}>
      <Field
        name="name"
        label={settingsStrings.name}
        defaultValue={first.name}
        required
        maxLength={hasColor ? 40 : 100}
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
    </FormDialog>
  );
}
