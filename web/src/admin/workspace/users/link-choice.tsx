import { Checkbox } from '../../../ui/form/field.tsx';

interface LinkChoiceProps {
  name: string;
  title: string;
  choices: { id: string; name: string }[];
}

/** Checkboxes for records that a form links. The form data contains the ids of the checked records. */
export const LinkChoice = ({ name, title, choices }: LinkChoiceProps) =>
  choices.length > 0 && (
    <fieldset className="link-choice">
      <legend>{title}</legend>
      {choices.map((choice) => (
        <Checkbox key={choice.id} name={name} value={choice.id} label={choice.name} />
      ))}
    </fieldset>
  );

export const getChosenLinks = (form: FormData, name: string): string[] => form.getAll(name).map(String);
