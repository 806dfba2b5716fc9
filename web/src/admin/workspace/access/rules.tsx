import { type FormEvent, useState } from 'react';
import { ask, change } from '../../../graphql/client.ts';
import { useFresh } from '../../../graphql/live.ts';
import { useAct, useFormAct } from '../../../shell/act.ts';
import { useAnswer } from '../../../shell/answer.ts';
import { Failed } from '../../../shell/screen.tsx';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Choice, Field, TextField } from '../../../ui/field.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { say } from '../../../ui/toasts.tsx';
import { GuardedForm } from '../guarded-form.tsx';
import { Links } from '../links.tsx';
import { adminWords } from '../words.ts';
import {
  GroupChoicesDocument,
  ModelIdDocument,
  OneRuleDocument,
  type RuleFactsFragment,
  RuleGroupsDocument,
  RuleMakeDocument,
  RuleRemoveDocument,
  RuleSaveDocument,
  RulesDocument,
} from './generated.ts';

/** Record rules of a model: which of its records somebody reaches. */
export function Rules({ model }: { model: string }) {
  const { data, refusal, reload } = useAnswer(RulesDocument, { model });
  useFresh('ir.rule', reload);
  const [isAdding, setAdding] = useState(false);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const rules = data.irRules.nodes;
  return (
    <div className="admin-stack">
      <div className="admin-head">
        <p className="quiet op-text">{adminWords.rulesText}</p>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {adminWords.addRule}
        </Button>
      </div>
      {rules.length === 0 && <p>{adminWords.noRules}</p>}
      {rules.map((rule) => (
        <RuleCard key={rule.id} rule={rule} reload={reload} />
      ))}
      {isAdding && <AddRule model={model} onClose={() => setAdding(false)} onAdded={reload} />}
    </div>
  );
}

/** The values that the form changes. Pure. */
const valuesOf = ({
  name,
  domainForce,
  permRead,
  permCreate,
  permWrite,
  permUnlink,
  active,
}: RuleFactsFragment) => ({ name, domainForce, permRead, permCreate, permWrite, permUnlink, active });

function RuleCard({ rule, reload }: { rule: RuleFactsFragment; reload(): void }) {
  const [isOpen, setOpen] = useState(false);
  const name = rule.name ?? adminWords.unnamedRule;
  return (
    <section className="card admin-stack" aria-label={name}>
      <div className="admin-head">
        <h2>{name}</h2>
        <Button
          aria-expanded={isOpen}
          aria-label={isOpen ? adminWords.closeOf(name) : adminWords.editOf(name)}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? shellWords.close : adminWords.edit}
        </Button>
      </div>
      <p>
        <StatusBadge tone={rule.fault ? 'bad' : rule.active ? 'good' : 'plain'}>
          {adminWords.ruleStates[rule.fault ? 'faulty' : rule.active ? 'active' : 'inactive']}
        </StatusBadge>{' '}
        <span className="quiet">
          {rule.groups.nodes.length > 0
            ? rule.groups.nodes.map(({ fullName }) => fullName).join(', ')
            : adminWords.everybody}
        </span>
      </p>
      {rule.fault && <p className="op-wrong">{rule.fault}</p>}
      {isOpen ? (
        <Edit rule={rule} reload={reload} />
      ) : (
        <code className="rule-domain">{rule.domainForce ?? adminWords.allRecords}</code>
      )}
    </section>
  );
}

function Edit({ rule, reload }: { rule: RuleFactsFragment; reload(): void }) {
  const { data } = useAnswer(GroupChoicesDocument, {});
  const { act } = useAct();
  const [isAsking, setAsking] = useState(false);
  const named = (groups: readonly { id: string; fullName: string | null }[]) =>
    groups.map((each) => ({ id: each.id, name: each.fullName ?? each.id }));
  const remove = () =>
    act(async () => {
      await change(RuleRemoveDocument, { id: rule.id });
      say(adminWords.deleted(rule.name ?? adminWords.unnamedRule));
      reload();
    });
  return (
    <>
      <GuardedForm
        label={adminWords.rule}
        fields={[
          { name: 'name', label: adminWords.name },
          { name: 'domainForce', label: adminWords.domain, hint: adminWords.domainHint, kind: 'code' },
          { name: 'permRead', label: adminWords.operations.READ, kind: 'tick' },
          { name: 'permCreate', label: adminWords.operations.CREATE, kind: 'tick' },
          { name: 'permWrite', label: adminWords.operations.UPDATE, kind: 'tick' },
          { name: 'permUnlink', label: adminWords.operations.DELETE, kind: 'tick' },
          { name: 'active', label: adminWords.inForce, kind: 'tick' },
        ]}
        kept={rule}
        values={valuesOf(rule)}
        ask={async () => {
          const { irRule: now } = await ask(OneRuleDocument, { id: rule.id });
          return now && { kept: now, values: valuesOf(now) };
        }}
        save={(changes, { kept }) =>
          change(RuleSaveDocument, { id: rule.id, updatedAt: kept.updatedAt!, ...changes })
        }
        onSaved={reload}
      />
      <h3 className="op-heading">{adminWords.groups}</h3>
      <Links
        label={adminWords.groups}
        links={named(rule.groups.nodes)}
        choices={named(data?.groups.nodes ?? [])}
        add={adminWords.addGroup}
        none={adminWords.bindsEverybody}
        onChange={async (changed) => {
          await change(RuleGroupsDocument, { id: rule.id, ...changed });
          reload();
        }}
      />
      <div className="buttons">
        <Button icon="trash" onClick={() => setAsking(true)}>
          {adminWords.deleteRule}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={adminWords.deleteTitle(rule.name ?? adminWords.unnamedRule)}
          yes={adminWords.delete}
          no={shellWords.cancel}
          onYes={remove}
          onClose={() => setAsking(false)}
        >
          <p>{adminWords.deleteRuleText}</p>
        </Confirm>
      )}
    </>
  );
}

interface AddProps {
  model: string;
  onClose(): void;
  onAdded(): void;
}

function AddRule({ model, onClose, onAdded }: AddProps) {
  const { data } = useAnswer(GroupChoicesDocument, {});
  const { isBusy, refusal, act } = useFormAct();
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const group = String(form.get('group'));
    void act(async () => {
      const { irModels } = await ask(ModelIdDocument, { model });
      await change(RuleMakeDocument, {
        name: String(form.get('name')).trim(),
        model: irModels.nodes[0]!.id,
        domain: String(form.get('domain')).trim() || null,
        groups: group ? [group] : [],
      });
      onClose();
      onAdded();
    });
  };
  return (
    <Dialog title={adminWords.addRule} onClose={onClose}>
      <form className="op-form" onSubmit={add}>
        <Field name="name" label={adminWords.name} required autoComplete="off" />
        <Choice
          name="group"
          label={adminWords.group}
          options={[
            ['', adminWords.everybody],
            ...(data?.groups.nodes ?? []).map(({ id, fullName }) => [id, fullName ?? id] as const),
          ]}
        />
        <TextField
          name="domain"
          className="code"
          spellCheck={false}
          label={adminWords.domain}
          hint={adminWords.domainHint}
          error={refusal?.message}
        />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {adminWords.add}
          </Button>
          <Button onClick={onClose}>{shellWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
