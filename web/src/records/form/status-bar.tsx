import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import type { NamedRecord } from '../document.ts';
import { RecordNamesDocument } from '../generated.ts';
import type { FieldDescription } from '../model.ts';

interface StatusBarProps {
  field: FieldDescription;
  value: unknown;
  /** Undefined if the user lacks permission. */
  onEnter: ((value: unknown) => void) | undefined;
}

/** A field with more steps is shown as a drop-down. */
const MAX_STEPS = 9;

/** Shows a record's stage and lets the user change it. The change is saved with the form. */
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
  const variables = { model: props.field.relation!, name: '', limit: MAX_STEPS + 1 };
  const { data } = useGraphqlQuery(RecordNamesDocument, variables);
  const steps = data?.recordNameSearch.map((record) => ({
    value: { id: record.id, displayName: record.displayName },
    id: record.id,
    label: record.displayName,
  }));
  const now = (props.value as NamedRecord | null)?.id;
  return steps ? <Steps {...props} steps={steps} now={now} /> : null;
}

interface Step {
  value: unknown;
  id: string;
  label: string;
}

function Steps({ field, onEnter, steps, now }: StatusBarProps & { steps: Step[]; now: unknown }) {
  if (steps.length < 2 || steps.length > MAX_STEPS) return null;
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
