import { useState } from 'react';
import { runMutation, runQuery } from '../../graphql/client.ts';
import { formatNumber, formatWhen } from '../../i18n/format.ts';
import { shellStrings } from '../../shell/strings.ts';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/form/field.tsx';
import { Form, FormError } from '../../ui/form/form.tsx';
import { getFolderName } from '../folder-tree.tsx';
import { assertOk } from '../mail-outcome.ts';
import {
  type MailRuleListQuery,
  MailRulePreviewDocument,
  type MailRulePreviewQuery,
  MailRuleSaveDocument,
} from './generated.ts';
import {
  CONDITION_FIELDS,
  CONDITION_OPERATORS,
  type MailRule,
  RULE_ACTIONS,
  type RuleForm,
  toRuleInput,
} from './rule-form.ts';
import { settingsStrings } from './strings.ts';

export interface RuleEditorProps {
  mailbox: string;
  /** The rule being replaced. Undefined for a new rule. */
  old?: MailRule;
  first: RuleForm;
  targets: Pick<MailRuleListQuery['mailRuleList'], 'folders' | 'labels'>;
  onSaved(): void;
  onClose(): void;
}

type RulePreview = MailRulePreviewQuery['mailRulePreview'];

export function RuleEditor({ mailbox, old, first, targets, onSaved, onClose }: RuleEditorProps) {
  const [start] = useState(first);
  const [form, setForm] = useState(start);
  const [preview, setPreview] = useState<RulePreview>();
  const { isBusy, refusal, expectedVersion, act } = useFormAction(old?.version);
  const write = (changes: Partial<RuleForm>) => {
    setForm({ ...form, ...changes });
    setPreview(undefined);
  };
  const save = () =>
    act(async () => {
      const rule = { ...toRuleInput(form, old), version: expectedVersion };
      assertOk((await runMutation(MailRuleSaveDocument, { mailbox, rule })).mailRuleSave);
      onSaved();
    });
  const loadPreview = () =>
    act(async () => {
      setPreview(undefined);
      const { conditions, matchType } = toRuleInput(form);
      const input = { mailbox, rule: { conditions, matchType } };
      setPreview(assertOk((await runQuery(MailRulePreviewDocument, input)).mailRulePreview));
    });
  return (
    <Form className="card rule-editor" onSubmit={save}>
      <UnsavedGuard isDirty={form !== start} />
      <h2>{old ? settingsStrings.editNamed(old.name) : settingsStrings.newRule}</h2>
      <Field
        label={settingsStrings.name}
        value={form.name}
        required
        maxLength={100}
        onChange={({ target }) => write({ name: target.value })}
      />
      <RuleConditions form={form} write={write} />
      <RuleActions form={form} targets={targets} write={write} />
      <FormError message={refusal?.message} />
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {settingsStrings.save}
        </Button>
        <Button onClick={loadPreview}>{settingsStrings.preview}</Button>
        <Button onClick={onClose}>{shellStrings.cancel}</Button>
      </div>
      {preview && <RuleMatches preview={preview} />}
    </Form>
  );
}

interface RulePartProps {
  form: RuleForm;
  write(changes: Partial<RuleForm>): void;
}

type RuleCondition = RuleForm['conditions'][number];

function RuleConditions({ form: { matchType, conditions }, write }: RulePartProps) {
  return (
    <fieldset>
      <legend>{settingsStrings.conditions}</legend>
      <Select
        label={settingsStrings.matchType}
        value={matchType}
        options={[
          ['all', settingsStrings.matchAll],
          ['any', settingsStrings.matchAny],
        ]}
        onChange={({ target }) => write({ matchType: target.value })}
      />
      {conditions.map((condition, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id and are identified by position
        <div className="rule-part" key={position}>
          <ConditionFields
            condition={condition}
            onChange={(changes) =>
              write({ conditions: conditions.with(position, { ...condition, ...changes }) })
            }
          />
          {conditions.length > 1 && (
            <IconButton
              icon="close"
              label={settingsStrings.removeCondition(position + 1)}
              onClick={() => write({ conditions: conditions.toSpliced(position, 1) })}
            />
          )}
        </div>
      ))}
      <Button
        icon="plus"
        onClick={() =>
          write({ conditions: [...conditions, { field: 'subject', operator: 'contains', value: '' }] })
        }
      >
        {settingsStrings.addCondition}
      </Button>
    </fieldset>
  );
}

interface ConditionFieldsProps {
  condition: RuleCondition;
  onChange(changes: Partial<RuleCondition>): void;
}

const ConditionFields = ({ condition: { field, operator, value }, onChange }: ConditionFieldsProps) => (
  <>
    <Select
      label={settingsStrings.field}
      value={field}
      options={CONDITION_FIELDS.map((name) => [name, settingsStrings.fields[name]])}
      onChange={({ target }) => onChange({ field: target.value, value: '' })}
    />
    {field === 'has_attachment' ? (
      <Select
        label={settingsStrings.value}
        value={value === 'false' ? 'false' : 'true'}
        options={[
          ['true', settingsStrings.yes],
          ['false', settingsStrings.no],
        ]}
        onChange={({ target }) => onChange({ value: target.value })}
      />
    ) : (
      <>
        <Select
          label={settingsStrings.operator}
          value={operator}
          options={CONDITION_OPERATORS.map((name) => [name, settingsStrings.operators[name]])}
          onChange={({ target }) => onChange({ operator: target.value })}
        />
        <Field
          label={settingsStrings.value}
          value={value}
          required
          onChange={({ target }) => onChange({ value: target.value })}
        />
      </>
    )}
  </>
);

function RuleActions({
  form: { actions },
  targets: { folders, labels },
  write,
}: RulePartProps & Pick<RuleEditorProps, 'targets'>) {
  const choices = {
    // New messages are in the inbox already, so it is the last choice.
    move_to_folder: folders
      .toSorted((a, b) => Number(a.role === 'inbox') - Number(b.role === 'inbox'))
      .map(({ id, name, role }) => [id, getFolderName({ type: role, name })] as const),
    add_label: labels.map(({ id, name }) => [id, name] as const),
  } as Record<string, (readonly [string, string])[]>;
  const usable = RULE_ACTIONS.filter((action) => choices[action]?.length !== 0);
  const set = (position: number, action: string, target = choices[action]?.[0]?.[0] ?? '') =>
    write({ actions: actions.with(position, { action, target }) });
  return (
    <fieldset>
      <legend>{settingsStrings.actions}</legend>
      {actions.map(({ action, target }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: actions have no id and are identified by position
        <div className="rule-part" key={position}>
          <Select
            label={settingsStrings.action}
            value={action}
            options={usable.map((item) => [item, settingsStrings.actionNames[item]])}
            onChange={(event) => set(position, event.target.value)}
          />
          {choices[action] && (
            <Select
              label={settingsStrings.targets[action as 'move_to_folder' | 'add_label']}
              value={target}
              options={choices[action]}
              onChange={(event) => set(position, action, event.target.value)}
            />
          )}
          {actions.length > 1 && (
            <IconButton
              icon="close"
              label={settingsStrings.removeAction(position + 1)}
              onClick={() => write({ actions: actions.toSpliced(position, 1) })}
            />
          )}
        </div>
      ))}
      <Button
        icon="plus"
        onClick={() => write({ actions: [...actions, { action: 'mark_read', target: '' }] })}
      >
        {settingsStrings.addAction}
      </Button>
    </fieldset>
  );
}

const RuleMatches = ({ preview: { count, scanned, samples } }: { preview: RulePreview }) => (
  <div role="status">
    <p>{settingsStrings.matches(formatNumber(count ?? 0), formatNumber(scanned ?? 0))}</p>
    <ul>
      {samples?.map(({ entryId, fromName, fromEmail, subject, date }) => (
        <li key={entryId} className="rule-match small">
          <bdi>{fromName || fromEmail}</bdi>
          <bdi className="grow">{subject}</bdi>
          <time className="quiet" dateTime={date}>
            {formatWhen(date)}
          </time>
        </li>
      ))}
    </ul>
  </div>
);
