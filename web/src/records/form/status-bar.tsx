import { useAnswer } from '../../shell/answer.ts';
import type { Named } from '../document.ts';
import { RecordNamesDocument } from '../generated.ts';
import type { DescribedField } from '../model.ts';

interface StatusBarProps {
  field: DescribedField;
  /** As `enteredValue` gives it. */
  value: unknown;
  /** Undefined where the person may not. */
  onEnter: ((value: unknown) => void) | undefined;
}

/** Steps that stand beside each other; more are a choice, as any other field is. */
const MOST = 9;

/** How far a record has come, and the steps it can be put at; it is saved with the form. */
export function StatusBar(props: StatusBarProps) {
  const { field } = props;
  if (!field.selection) return <RecordSteps {...props} />;
  const steps = field.selection.map(({ graphqlName, value, label }) => ({
    value: graphqlName ?? value,
    id: graphqlName ?? value,
    label,
  }));
  return <Steps {...props} steps={steps} now={props.value} />;
}

function RecordSteps(props: StatusBarProps) {
  const asked = { model: props.field.relation!, name: '', limit: MOST + 1 };
  const { data } = useAnswer(RecordNamesDocument, asked);
  const steps = data?.recordNameSearch.map((record) => ({
    value: { id: record.id, displayName: record.displayName },
    id: record.id,
    label: record.displayName,
  }));
  const now = (props.value as Named | null)?.id;
  return steps ? <Steps {...props} steps={steps} now={now} /> : null;
}

interface Step {
  value: unknown;
  id: string;
  label: string;
}

function Steps({ field, onEnter, steps, now }: StatusBarProps & { steps: Step[]; now: unknown }) {
  if (steps.length < 2 || steps.length > MOST) return null;
  return (
    <ol className="status-bar" aria-label={field.label}>
      {steps.map(({ value, id, label }) => (
        <li key={id} aria-current={id === now ? 'step' : undefined}>
          {onEnter ? (
            <button type="button" aria-pressed={id === now} onClick={() => id !== now && onEnter(value)}>
              {label}
            </button>
          ) : (
            <span>{label}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
