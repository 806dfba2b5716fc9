import { useCallback, useEffect, useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { LoadError } from '../../../shell/screen.tsx';
import { UnsavedGuard } from '../../../shell/unsaved/unsaved-guard.tsx';
import { useFormAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { useViewer } from '../../../shell/viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Field, Select } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { operationStrings } from '../strings.ts';
import { AppSettingSetDocument, AppSettingsDocument, type AppSettingsQuery } from './generated.ts';

type Setting = AppSettingsQuery['appSettings'][number];

export function AppSettings({ app }: { app: string }) {
  const { data, refusal, reload } = useGraphqlQuery(AppSettingsDocument, { app });
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const note = useCallback((key: string, isDirty: boolean) => {
    setUnsaved((keys) => new Set(isDirty ? [...keys, key] : [...keys].filter((item) => item !== key)));
  }, []);
  return (
    <section className="card app-card" aria-label={operationStrings.settings}>
      <UnsavedGuard isDirty={unsaved.size > 0} />
      <h2>{operationStrings.settings}</h2>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data?.appSettings.map((setting) => (
        <SettingForm
          key={`${setting.key} ${String(setting.value)}`}
          setting={setting}
          onDirty={note}
          onSaved={reload}
        />
      ))}
    </section>
  );
}

interface SettingFormProps {
  setting: Setting;
  onDirty(key: string, isDirty: boolean): void;
  onSaved(): void;
}

function SettingForm({ setting, onDirty, onSaved }: SettingFormProps) {
  const { can } = useViewer();
  const [value, setValue] = useState(setting.value);
  const { isBusy, refusal, act } = useFormAction();
  const isDirty = String(value) !== String(setting.value);
  useEffect(() => {
    onDirty(setting.key, isDirty);
    return () => onDirty(setting.key, false);
  }, [setting.key, isDirty, onDirty]);
  const isDefault = String(setting.value) === String(setting.default);
  const save = (next: unknown) =>
    act(async () => {
      await runMutation(AppSettingSetDocument, { key: setting.key, value: next });
      showToast(operationStrings.settingSaved(setting.label));
      onSaved();
    });
  const submit = () => void save(setting.type === 'INTEGER' ? Number(value) : value);
  return (
    <Form className="app-setting" onSubmit={submit} aria-label={setting.label}>
      <SettingInput setting={setting} value={value} onChange={setValue} error={refusal?.message ?? null} />
      {can.has('appSettingSet') && (
        <div className="buttons">
          <Button type="submit" look={isDirty ? 'primary' : 'plain'} disabled={!isDirty} isBusy={isBusy}>
            {operationStrings.save}
          </Button>
          {!isDefault && (
            <Button look="ghost" onClick={() => save(null)}>
              {operationStrings.resetToDefault(formatSettingValue(setting, setting.default))}
            </Button>
          )}
        </div>
      )}
    </Form>
  );
}

interface SettingInputProps {
  setting: Setting;
  value: unknown;
  error: string | null;
  onChange(value: unknown): void;
}

function SettingInput({ setting, value, error, onChange }: SettingInputProps) {
  const { label, help, type, least, most, choices } = setting;
  if (type === 'BOOLEAN')
    return (
      <Checkbox
        label={label}
        hint={error ?? help}
        checked={value === true}
        onChange={({ target }) => onChange(target.checked)}
      />
    );
  if (choices)
    return (
      <Select
        label={label}
        hint={help}
        error={error}
        value={String(value)}
        options={choices.map((choice) => [choice, choice] as const)}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  const range = least !== null && most !== null ? ` ${operationStrings.allowedRange(least, most)}` : '';
  return (
    <Field
      type={type === 'INTEGER' ? 'number' : 'text'}
      label={label}
      hint={help + range}
      error={error}
      required={type === 'INTEGER'}
      value={String(value ?? '')}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const formatSettingValue = ({ type }: Setting, value: unknown): string =>
  type === 'BOOLEAN' ? operationStrings.onOff[value === true ? 'on' : 'off'] : String(value);
