import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { TextArea } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { parsePastedAddresses } from './address.ts';
import { SuppressionsAddDocument } from './generated.ts';
import { suppressionStrings } from './strings.ts';

export function AddSuppressionsDialog({ onClose }: { onClose(): void }) {
  const add = async (form: FormData) => {
    const emails = parsePastedAddresses(getText(form, 'emails'));
    const { suppressionsAdd } = await runMutation(SuppressionsAddDocument, { emails });
    showToast(formatCount(suppressionsAdd.added, suppressionStrings.added));
  };
  return (
    <FormDialog title={suppressionStrings.add} errorField="emails" onSubmit={add} onClose={onClose}>
      <p>{suppressionStrings.addText}</p>
      <TextArea
        name="emails"
        label={suppressionStrings.addresses}
        hint={suppressionStrings.addressesHint}
        required
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  );
}
