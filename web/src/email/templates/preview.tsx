import { LoadStatus } from '../../shell/loading.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { Field } from '../../ui/form/field.tsx';
import type { PreviewView } from './address.ts';
import type { TemplateEditorProps } from './draft.ts';
import { PreviewFrame } from './preview-frame.tsx';
import { SampleContact } from './sample-contact.tsx';
import { templateStrings } from './strings.ts';
import { usePreview } from './use-preview.ts';

interface TemplatePreviewProps extends TemplateEditorProps {
  view: PreviewView;
  show(changes: PreviewView): void;
}

export function TemplatePreview({ view, show, ...edited }: TemplatePreviewProps) {
  const { samples, setSamples } = edited;
  const { can } = useViewer();
  const { data, refusal, reload } = usePreview(edited);
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { names, missing, ...shown } = data.templatePreview;
  return (
    <div className="stack">
      {names.length > 0 && (
        <fieldset className="template-values">
          <legend>{templateStrings.values}</legend>
          {can.has('contactBooks') && (
            <SampleContact names={names} onChoose={(values) => setSamples({ ...samples, ...values })} />
          )}
          {names.map((name) => (
            <Field
              key={name}
              label={templateStrings.variableValue(name)}
              value={samples[name] ?? ''}
              onChange={({ target }) => setSamples({ ...samples, [name]: target.value })}
            />
          ))}
        </fieldset>
      )}
      {missing.length > 0 && (
        <p className="template-missing">{templateStrings.missingValues(missing.join(', '))}</p>
      )}
      <PreviewFrame {...shown} missing={missing} view={view} show={show} />
    </div>
  );
}
