import { useState } from 'react';
import { runMutation, runQuery } from '../../../graphql/client.ts';
import { ConfirmButton, DialogOpener } from '../../../shell/action-buttons.tsx';
import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import { shellStrings } from '../../../shell/strings.ts';
import { useGraphqlQuery, useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, TextArea } from '../../../ui/form/field.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { GuardedForm } from '../guarded-form.tsx';
import { Links, toLinkTargets } from '../links.tsx';
import { adminStrings } from '../strings.ts';
import {
  GroupChoicesDocument,
  ModelIdDocument,
  OneRuleDocument,
  type RuleFactsFragment,
  RuleMakeDocument,
  RuleRemoveDocument,
  RuleSaveDocument,
  RulesDocument,
} from './generated.ts';

export function Rules({ model }: { model: string }) {
  const { data, refusal, reload } = useLiveQuery(RulesDocument, { model }, 'ir.rule');
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const rules = data.irRules.nodes;
  return (
    <div className="admin-stack">
      <div className="section-head">
        <p className="quiet measure">{adminStrings.rulesText}</p>
        <DialogOpener icon="plus" label={adminStrings.addRule}>
          {(onClose) => <AddRuleDialog model={model} onClose={onClose} onAdded={reload} />}
        </DialogOpener>
      </div>
      {rules.length === 0 && <p>{adminStrings.noRules}</p>}
      {rules.map((rule) => (
        <RuleCard key={rule.id} rule={rule} reload={reload} />
      ))}
    </div>
  );
}

function RuleCard({ rule, reload }: { rule: RuleFactsFragment; reload(): void }) {
  const [isOpen, setIsOpen] = useState(false);
  const name = rule.name ?? adminStrings.unnamedRule;
  return (
    <section className="card admin-stack" aria-label={name}>
      <div className="section-head">
        <h2>{name}</h2>
        <Button
          aria-expanded={isOpen}
          aria-label={isOpen ? adminStrings.closeNamed(name) : adminStrings.editNamed(name)}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? shellStrings.close : adminStrings.edit}
        </Button>
      </div>
      <p>
        <StatusBadge tone={rule.fault ? 'bad' : rule.active ? 'good' : 'plain'}>
          {adminStrings.ruleStates[rule.fault ? 'faulty' : rule.active ? 'active' : 'inactive']}
        </StatusBadge>{' '}
        <span className="quiet">
          {rule.groups.nodes.length > 0
            ? rule.groups.nodes.map(({ fullName }) => fullName).join(', ')
            : adminStrings.everyone}
        </span>
      </p>
      {rule.fault && <p className="error-note">{rule.fault}</p>}
      {isOpen ? (
        <EditRuleForm rule={rule} reload={reload} />
      ) : (
        <code className="rule-domain">{rule.domainForce ?? adminStrings.allRecords}</code>
      )}
    </section>
  );
}

function EditRuleForm({ rule, reload }: { rule: RuleFactsFragment; reload(): void }) {
  const { data } = useGraphqlQuery(GroupChoicesDocument, {});
  const name = rule.name ?? adminStrings.unnamedRule;
  const remove = () =>
    runWithToast(RuleRemoveDocument, { id: rule.id }, adminStrings.deleted(name)).then(reload);
  return (
    <>
      <GuardedForm
        label={adminStrings.rule}
        fields={[
          { name: 'name', label: adminStrings.name },
          { name: 'domainForce', label: adminStrings.domain, hint: adminStrings.domainHint, kind: 'code' },
          { name: 'permRead', label: adminStrings.operations.READ, kind: 'checkbox' },
          { name: 'permCreate', label: adminStrings.operations.CREATE, kind: 'checkbox' },
          { name: 'permWrite', label: adminStrings.operations.UPDATE, kind: 'checkbox' },
          { name: 'permUnlink', label: adminStrings.operations.DELETE, kind: 'checkbox' },
          { name: 'active', label: adminStrings.isActive, kind: 'checkbox' },
        ]}
        facts={rule}
        loadCurrent={async () => (await runQuery(OneRuleDocument, { id: rule.id })).irRule}
        save={(input, { version: expectedVersion }) =>
          runMutation(RuleSaveDocument, { id: rule.id, input, expectedVersion })
        }
        onSaved={reload}
      />
      <h3 className="small-heading">{adminStrings.groups}</h3>
      <Links
        label={adminStrings.groups}
        links={toLinkTargets(rule.groups.nodes)}
        choices={toLinkTargets(data?.groups.nodes)}
        add={adminStrings.addGroup}
        none={adminStrings.appliesToEveryone}
        onChange={async (groups) => {
          await runMutation(RuleSaveDocument, { id: rule.id, input: { groups } });
          reload();
        }}
      />
      <div className="buttons">
        <ConfirmButton
          icon="trash"
          label={adminStrings.deleteRule}
          title={adminStrings.deleteTitle(name)}
          text={adminStrings.deleteRuleText}
          yes={adminStrings.delete}
          onYes={remove}
        />
      </div>
    </>
  );
}

function AddRuleDialog({ model, onClose, onAdded }: { model: string; onClose(): void; onAdded(): void }) {
  const { data } = useGraphqlQuery(GroupChoicesDocument, {});
  const add = async (form: FormData) => {
    const { irModels } = await runQuery(ModelIdDocument, { model });
    const group = getText(form, 'group');
    await runMutation(RuleMakeDocument, {
      input: {
        name: getText(form, 'name'),
        modelId: irModels.nodes[0]!.id,
        domainForce: getText(form, 'domain') || null,
        groups: { connect: group ? [group] : [] },
      },
    });
    onAdded();
  };
  return (
    <FormDialog title={adminStrings.addRule} errorField="domain" onSubmit={add} onClose={onClose}>
      <Field name="name" label={adminStrings.name} required />
      <Select
        name="group"
        label={adminStrings.group}
        options={[
          ['', adminStrings.everyone],
          ...(data?.groups.nodes ?? []).map(({ id, fullName }) => [id, fullName ?? id] as const),
        ]}
      />
      <TextArea
        name="domain"
        className="code"
        spellCheck={false}
        label={adminStrings.domain}
        hint={adminStrings.domainHint}
      />
    </FormDialog>
  );
}
